import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ReinsError } from "@reins/core";
import { type Failure, forkedWorker, runTasks, type Worker } from "../jobs/index.ts";
import type { Job, StoredOutcome } from "./trial.ts";

/** Settings of {@link openTrials}. */
export interface TrialsOptions {
  /** The recipe's built file. */
  readonly file: string;
  readonly cache: string;
  /** Number of parallel processes. */
  readonly jobs: number;
  /** Environment variables of the processes. */
  readonly env: { readonly [name: string]: string };
  readonly stop: () => boolean;
  /** The name of a trial in errors. */
  readonly whereOf: (job: Job) => string;
}

/** Processes that run trials of a recipe. */
export interface Trials {
  /** Runs trials. The first failure ends all of them, because it is a bug in the recipe. */
  run(list: readonly Job[], done: (index: number, outcome: StoredOutcome) => void): Promise<void>;
  close(): Promise<void>;
}

/** Tests run from the sources; processes run the built files. */
const worker = [
  new URL("./worker.js", import.meta.url),
  new URL("../../dist/book/worker.js", import.meta.url),
]
  .map((url) => fileURLToPath(url))
  .find((path) => existsSync(path));

/** Opens single-threaded processes. They stay open, so that compiled functions are reused by later trials. */
export function openTrials({ file, cache, jobs, env, stop, whereOf }: TrialsOptions): Trials {
  const all = Array.from({ length: jobs }, () =>
    forkedWorker<Job, StoredOutcome>(worker!, {
      args: [file, cache],
      env: { ...env, REINS_THREADS: "1", REINS_QUIET: "1" },
    }),
  );
  return {
    async run(list, done) {
      let next = 0;
      const [failure] = await runTasks<Job, StoredOutcome>(list, {
        worker: () => staying(all[next++], stop),
        jobs,
        stop,
        strict: true,
        done: ({ index, result }) => done(index, result),
      });
      if (failure) throw failure.told ? new ReinsError(failure.message) : bug(failure, whereOf(failure.task));
    },
    close: async () => void (await Promise.all(all.map((w) => w.end()))),
  };
}

/** An error in an arm's own code: its stack matters, not that of the caller. */
function bug({ message }: Failure<Job>, where: string): Error {
  const error = new Error(`${where}: ${message}`);
  error.stack = error.message;
  return error;
}

/** A worker whose process outlives its tasks, unless the user stops. */
const staying = (inner: Worker<Job, StoredOutcome>, stop: () => boolean): Worker<Job, StoredOutcome> => ({
  do: (task) => inner.do(task),
  end: (signal) => (signal || stop() ? inner.end(signal) : Promise.resolve()),
});
