import { availableParallelism, Worker } from "#node";

/** The work of threads. */
export interface Work {
  /**
   * Source text of a function: called with `require` and `data` in each new thread, it returns the function that
   * answers jobs.
   */
  readonly serve: string;
  /** Its data, copied into the thread. */
  readonly data: unknown;
  /** Timeout of a job in milliseconds; its thread is terminated. */
  readonly milliseconds: number;
}

/** Why a job has no answer: it took too long, or its thread exited. */
export type Unanswered = "timeout" | "died";

/**
 * Worker threads that answer jobs, each one at a time, as many as there are processors (at most four). They start on
 * demand, stay for the next job, and do not keep the process alive while idle.
 */
export function threads<Job, Answer extends object>(work: Work): (job: Job) => Promise<Answer | Unanswered> {
  const [idle, waiting] = [[] as Thread[], [] as (() => void)[]];
  let running = 0;
  return async (job) => {
    if (running >= Math.min(4, availableParallelism())) await new Promise<void>((next) => waiting.push(next));
    else running++;
    const thread = idle.pop() ?? start(work);
    const answer = (await answered(thread, job, work.milliseconds)) as Answer | Unanswered;
    if (typeof answer === "string") void thread.worker.terminate();
    else idle.push(thread);
    // Last in, first out: a caller that awaits several answers in turn finishes before others start.
    const next = waiting.pop();
    if (next) next();
    else running--;
    return answer;
  };
}

interface Thread {
  readonly worker: Worker;
  /** Resolves when it can take a job: starting does not count as the job's time. */
  readonly ready: Promise<unknown>;
  alive: boolean;
  /** Settles the current job. */
  done: (answer: unknown) => void;
}

function start({ serve, data }: Work): Thread {
  const text = `const { parentPort, workerData } = require("node:worker_threads");
const answer = (${serve})(require, workerData);
parentPort.on("message", async (job) => parentPort.postMessage(await answer(job)));
parentPort.postMessage("ready");`;
  // The thread inherits neither arguments (such as TypeScript loaders) nor the environment.
  const worker = new Worker(text, { eval: true, workerData: data, execArgv: [], env: {} });
  let begin = () => {};
  const ready = new Promise<void>((resolve) => (begin = resolve));
  const thread: Thread = { worker, ready, alive: true, done: begin };
  worker.on("message", (answer) => thread.done(answer));
  // The exit event follows.
  worker.on("error", () => {});
  worker.on("exit", () => {
    thread.alive = false;
    thread.done("died");
  });
  return thread;
}

async function answered(thread: Thread, job: unknown, milliseconds: number): Promise<unknown> {
  const { worker } = thread;
  worker.ref();
  await thread.ready;
  const answer = await new Promise<unknown>((resolve) => {
    if (!thread.alive) return resolve("died");
    const clock = setTimeout(() => resolve("timeout"), milliseconds);
    thread.done = (answer) => {
      clearTimeout(clock);
      resolve(answer);
    };
    worker.postMessage(job);
  });
  worker.unref();
  return answer;
}
