import { ReinsError } from "@reins/core";

/** Does tasks one after the other, in processes. */
export interface Worker<T, R> {
  /** Rejects with the reason where a task fails. The next one may be asked for all the same. */
  do(task: T): Promise<R>;
  /** Ends its process, if there is one, and waits until it is gone. A task that it was at fails. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** A task that is done. */
export interface Finished<T, R> {
  readonly task: T;
  /** Its position in the list. */
  readonly index: number;
  readonly result: R;
  /** Tasks that are done so far, this one included, and all of them. */
  readonly count: number;
  readonly total: number;
}

/** A task that did not come to an end. */
export interface Failure<T> {
  readonly task: T;
  readonly message: string;
  /** Whether that is a message to the user, who can act on it; otherwise it is a bug. */
  readonly told?: boolean;
}

/** Settings of {@link runTasks}. */
export interface PoolOptions<T, R> {
  /** Makes a worker; there is one for each of the tasks that are done at the same time. */
  readonly worker: () => Worker<T, R>;
  /** Tasks at the same time. */
  readonly jobs: number;
  readonly done: (finished: Finished<T, R>) => void;
  /** Asked before each task and a few times a second: when it says so, processes are ended, and what they were at is no failure. */
  readonly stop?: () => boolean;
  /** Begins nothing more once a task has failed. By default failures do not hold up the others. */
  readonly strict?: boolean;
}

/** Does tasks, several at a time, and resolves to those that failed. When it resolves or rejects, no process is left. */
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
  // Who wishes to stop a second time does not wait for anybody.
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
