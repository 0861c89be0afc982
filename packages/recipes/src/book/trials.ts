import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { forked, runTasks } from "../jobs/index.ts";
import type { Job, Kept } from "./trial.ts";

/** Settings of {@link runTrials}. */
export interface TrialsOptions {
  /** The recipe's built file. */
  readonly file: string;
  readonly cache: string;
  /** Processes at the same time. */
  readonly jobs: number;
  /** Variables of the processes. */
  readonly env: { readonly [name: string]: string };
  readonly done: (index: number, outcome: Kept) => void;
  readonly stop: () => boolean;
}

/** Tests run from the sources; processes run what was built. */
const worker = [
  new URL("./worker.js", import.meta.url),
  new URL("../../dist/book/worker.js", import.meta.url),
]
  .map((url) => fileURLToPath(url))
  .find((path) => existsSync(path));

/** Runs trials of a recipe in processes of one thread each. The first that fails ends it all: it is a mistake in the recipe. */
export async function runTrials(list: readonly Job[], options: TrialsOptions): Promise<void> {
  const { file, cache, env, jobs, stop } = options;
  const [failure] = await runTasks<Job, Kept>(list, {
    worker: () =>
      forked(worker!, { args: [file, cache], env: { ...env, REINS_THREADS: "1", REINS_QUIET: "1" } }),
    jobs,
    stop,
    strict: true,
    done: ({ index, result }) => options.done(index, result),
  });
  if (failure) throw new Error(`Side ${failure.task.side}, seed ${failure.task.seed}: ${failure.message}`);
}
