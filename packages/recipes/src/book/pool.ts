import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Job, Kept } from "./trial.ts";

/** What a worker process answers. */
export type Answer = { readonly outcome: Kept } | { readonly error: string };

/** Settings of {@link runJobs}. */
export interface PoolOptions {
  /** The recipe's built file. */
  readonly file: string;
  readonly cache: string;
  /** Processes at the same time. */
  readonly jobs: number;
  /** Variables of the processes. */
  readonly env: { readonly [name: string]: string };
  readonly done: (index: number, outcome: Kept) => void;
  /** Asked before each job. */
  readonly stop: () => boolean;
}

/** Tests run from the sources; processes run what was built. */
const worker = [
  new URL("./worker.js", import.meta.url),
  new URL("../../dist/book/worker.js", import.meta.url),
]
  .map((url) => fileURLToPath(url))
  .find((path) => existsSync(path));

/** Runs jobs in processes of one thread each, which stay for the next job: what they compiled is there already. */
export async function runJobs(list: readonly Job[], options: PoolOptions): Promise<void> {
  const waiting = list.map((job, index) => ({ job, index }));
  let failed: Error | undefined;
  const lane = async () => {
    if (waiting.length === 0) return;
    const child = fork(worker!, [options.file, options.cache], {
      env: { ...process.env, ...options.env, REINS_THREADS: "1", REINS_QUIET: "1" },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      serialization: "advanced",
      // Not those of a test runner.
      execArgv: [],
    });
    try {
      for (;;) {
        const next = options.stop() || failed ? undefined : waiting.shift();
        if (!next) return;
        const answer = await ask(child, next.job, options.stop);
        if (!answer) return;
        if ("error" in answer) throw new Error(answer.error);
        options.done(next.index, answer.outcome);
      }
    } catch (error) {
      failed ??= error as Error;
    } finally {
      child.kill();
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.jobs, list.length) }, lane));
  if (failed) throw failed;
}

/** Undefined when the process was stopped on the way. */
function ask(child: ChildProcess, job: Job, stop: () => boolean): Promise<Answer | undefined> {
  return new Promise((answered, broken) => {
    const watch = setInterval(() => stop() && end(answered, undefined), 200);
    const onExit = (code: number | null) =>
      end(broken, new Error(`The process of seed ${job.seed} ended with ${code}.`));
    const onMessage = (answer: unknown) => end(answered, answer as Answer);
    function end<T>(how: (value: T) => void, value: T): void {
      clearInterval(watch);
      child.off("exit", onExit).off("message", onMessage);
      how(value);
    }
    child.on("exit", onExit).on("message", onMessage);
    child.send(job);
  });
}
