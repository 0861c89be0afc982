import { availableParallelism, Worker } from "#node";

/** What threads do. */
export interface Work {
  /** A function as text: called with `require` and `data` in each new thread, it gives the function that answers jobs. */
  readonly serve: string;
  /** What it is called with, copied into the thread. */
  readonly data: unknown;
  /** Milliseconds after which a job ends together with its thread. */
  readonly milliseconds: number;
}

/** Why there is no answer: it took too long, or its thread ended. */
export type Unanswered = "timeout" | "died";

/**
 * Threads beside this one that answer jobs, each one at a time, as many at once as there are processors (four at most). They start when
 * they are needed, stay for the next job, and let the process end while they have none.
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
    // The last first: who waits for several answers in turn, one among many, then has all of them before the others have their first.
    const next = waiting.pop();
    if (next) next();
    else running--;
    return answer;
  };
}

interface Thread {
  readonly worker: Worker;
  /** When it can be given a job: starting takes time that is not the job's. */
  readonly ready: Promise<unknown>;
  alive: boolean;
  /** Takes what comes of the job that is under way. */
  done: (answer: unknown) => void;
}

function start({ serve, data }: Work): Thread {
  const text = `const { parentPort, workerData } = require("node:worker_threads");
const answer = (${serve})(require, workerData);
parentPort.on("message", async (job) => parentPort.postMessage(await answer(job)));
parentPort.postMessage("ready");`;
  // No arguments of this process: loaders for TypeScript, say, have no place there. Nor has its environment.
  const worker = new Worker(text, { eval: true, workerData: data, execArgv: [], env: {} });
  let begin = () => {};
  const ready = new Promise<void>((resolve) => (begin = resolve));
  const thread: Thread = { worker, ready, alive: true, done: begin };
  worker.on("message", (answer) => thread.done(answer));
  // The end that follows says enough.
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
