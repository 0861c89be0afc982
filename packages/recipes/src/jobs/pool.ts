import { ReinsError } from "@reins/core";

/** Runs tasks in a process, one after the other. */
export interface Worker<T, R> {
  /** Rejects with the reason if a task fails; the worker stays usable. */
  do(task: T): Promise<R>;
  /** Ends its process, if any, and waits for it to exit. Its current task fails. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** A finished task. */
export interface Finished<T, R> {
  readonly task: T;
  /** Its position in the list. */
  readonly index: number;
  readonly result: R;
  /** Number of finished tasks, including this one, and the total. */
  readonly count: number;
  readonly total: number;
}

/** A failed task. */
export interface Failure<T> {
  readonly task: T;
  readonly message: string;
  /** Whether the message is an error for the user; otherwise it is a bug. */
  readonly told?: boolean;
}

/** Settings of {@link runTasks}. */
export interface PoolOptions<T, R> {
  /** Makes a worker; there is one per parallel task. */
  readonly worker: () => Worker<T, R>;
  /** Number of parallel tasks. */
  readonly jobs: number;
  readonly done: (finished: Finished<T, R>) => void;
  /** Called before each task and a few times a second: if true, processes are ended, and their tasks do not count as failed. */
  readonly stop?: () => boolean;
  /** Starts no further task after a failure. By default failures do not stop the others. */
  readonly strict?: boolean;
}

/** Runs tasks in parallel, and resolves to the failures. When it resolves or rejects, no process is left. */
export async function runTasks<T, R>(tasks: readonly T[], options: PoolOptions<T, R>): Promise<Failure<T>[]> {
  const { done, stop = () => false, strict = false } = options;
  const waiting = tasks.map((task, index) => ({ task, index }));
  const failures: Failure<T>[] = [];
  const workers = Array.from({ length: Math.min(options.jobs, tasks.length) }, options.worker);
  const endAll = (signal?: NodeJS.Signals) => Promise.all(workers.map((w) => w.end(signal)));
  let [count, broken] = [0, false];
  const next = () => (stop() || broken || (strict && failures.length > 0) ? undefined : waiting.shift());

  const lane = async (worker: Worker<T, R>) => {
    for (let at = next(); at; at = next()) {
      const { task, index } = at;
      const answer = await worker.do(task).then(
        (result) => ({ result }),
        (error: Error) => ({
          message: error.message,
          ...(error instanceof ReinsError && { told: true }),
        }),
      );
      if (!("message" in answer)) done({ task, index, ...answer, count: ++count, total: tasks.length });
      else if (!stop()) failures.push({ task, ...answer });
    }
  };
  const watch = setInterval(() => {
    if (!stop()) return;
    clearInterval(watch);
    endAll();
  }, 100);
  // A second interrupt exits without waiting.
  const onExit = () => void endAll("SIGKILL");
  process.on("exit", onExit);
  try {
    await Promise.all(workers.map(lane));
  } finally {
    broken = true;
    clearInterval(watch);
    await endAll();
    process.off("exit", onExit);
  }
  return failures;
}
