import { heap } from "../../heap.ts";
import type { Addresses } from "./main.ts";

/** Words of the control block: see `Team`. Two from `arrived` on belong to the barrier; from `installed` on each thread has one. */
const word = { command: 0, context: 1, posted: 2, arrived: 16, installed: 32 };
/**
 * A command is one word, so that a worker never sees half of it: from the top a sequence number, six bits for the number of threads,
 * and fourteen for the program.
 */
const command = { program: 14, threads: 6 };
/**
 * Milliseconds that the first run of a program waits for the workers: they start in about forty, and only large programs use
 * workers. Browsers do not wait, because their workers may need the waiting thread.
 */
const patience = 250;
/** How often a worker polls for the next run before it sleeps: about twenty microseconds. */
const looks = 2000;

type Main = (context: number, thread: number, threads: number) => void;
interface Port {
  postMessage(message: unknown): void;
}

/**
 * Workers that run the same programs as the calling thread. They sleep on the control block's command. A new command wakes them:
 * either to run a program on a number of threads, or (program 0) to return to their event loop and receive a new module. A worker
 * that has received all posted modules goes back to sleep.
 *
 * What keeps this from hanging:
 * - `posted` is raised before the messages go out, so it is never below what a worker has received. A worker leaves for its event
 *   loop only when `posted` is above that, so a message for it exists or is about to, and its handler comes back to listening.
 *   (Raised after, a fast worker saw fewer posted than received, left, and nothing ever called it back.)
 * - The command changes after `posted`. A worker that read the old `posted` therefore finds that the command is no longer the one
 *   it wants to sleep on, and looks again.
 * - A run uses the workers only when each of them has installed the program, counted separately: with a sum over workers, one that
 *   is ahead would hide one that is behind. A run ends with a barrier, so no command is replaced before all participants
 *   have seen it; a worker that is in its event loop at that moment finds the command when it listens again.
 */
export interface Team {
  /** Heap offset of the barrier's words. */
  readonly barrier: number;
  /**
   * Sends a program to the workers; the returned function runs it, on one thread until all workers are ready. In Node its first run
   * waits for them briefly.
   */
  install(
    module: WebAssembly.Module,
    addresses: Addresses,
    main: Main,
    threads: number,
  ): (context: number) => void;
  /** Resolves when all workers have all programs. */
  ready(): Promise<void>;
}

let team: { size: number; team: Team } | undefined;

/** The team of at least `threads` threads, the caller included. */
export function pool(threads: number): Team {
  if (!team || team.size < threads) team = { size: threads, team: createTeam(threads) };
  return team.team;
}

/** Whether this thread may sleep in `Atomics.wait`: a browser's main thread may not. */
export function mayWait(): boolean {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1, 0);
    return true;
  } catch {
    return false;
  }
}

/** Starts a separate team; programs share the one of `pool`. */
export function createTeam(size: number): Team {
  const words = word.installed + size;
  const offset = heap.allocate(4 * words);
  const control = new Int32Array(heap.buffer, offset, words);
  const workers: Port[] = [];
  const data = { memory: heap.memory, offset, words, word, command, looks };
  for (let thread = 1; thread < size; thread++) workers.push(startWorker({ ...data, thread }));
  let programs = 0;
  let sequence = 0;
  const wake = (program: number, threads: number) => {
    sequence++;
    Atomics.store(
      control,
      word.command,
      (((sequence << command.threads) | threads) << command.program) | program,
    );
    Atomics.notify(control, word.command);
  };
  const installed = (count: number) => {
    for (let thread = 1; thread < size; thread++)
      if (Atomics.load(control, word.installed + thread) < count) return false;
    return true;
  };
  let patient = nodeThreads() !== undefined;
  /** Waits until all workers have installed `count` programs, or until the time is up. */
  const gathered = (count: number) => {
    for (let thread = 1; thread < size && patient; thread++) {
      const at = word.installed + thread;
      for (let has = Atomics.load(control, at); has < count && patient; has = Atomics.load(control, at))
        patient = Atomics.wait(control, at, has, patience) !== "timed-out";
    }
    return installed(count);
  };

  return {
    barrier: offset + 4 * word.arrived,
    install(module, addresses, main, threads) {
      const id = ++programs;
      if (id >= 1 << command.program) return (context) => main(context, 0, 1);
      // Before the messages: see `Team`.
      Atomics.add(control, word.posted, 1);
      for (const worker of workers) worker.postMessage({ id, module, addresses });
      wake(0, 0);
      let [complete, first] = [false, true];
      return (context) => {
        complete ||= first ? gathered(id) : installed(id);
        first = false;
        if (!complete) return main(context, 0, 1);
        Atomics.store(control, word.context, context);
        wake(id, threads);
        // Returns after the last barrier, so a worker is behind by at most its way back to sleep.
        main(context, 0, threads);
      };
    },
    async ready() {
      while (!installed(Atomics.load(control, word.posted)))
        await new Promise((resolve) => setTimeout(resolve, 1));
    },
  };
}

/** The worker's source: plain JavaScript, because it is started from its text. */
const source = `
const serve = ({ memory, offset, words, word, command, looks, thread }) => {
  const control = new Int32Array(memory.buffer, offset, words);
  const programs = [];
  let seen = 0;
  let received = 0;
  const listen = () => {
    for (;;) {
      let next = Atomics.load(control, word.command);
      for (let i = 0; i < looks && next === seen; i++) next = Atomics.load(control, word.command);
      if (next === seen) {
        if (Atomics.load(control, word.posted) !== received) return;
        Atomics.wait(control, word.command, seen);
        continue;
      }
      seen = next;
      const program = next & ((1 << command.program) - 1);
      const threads = (next >> command.program) & ((1 << command.threads) - 1);
      if (program !== 0 && thread < threads) programs[program](Atomics.load(control, word.context), thread, threads);
      else if (Atomics.load(control, word.posted) !== received) return;
    }
  };
  return ({ id, module, addresses }) => {
    programs[id] = new WebAssembly.Instance(module, { env: { memory, ...addresses } }).exports.main;
    Atomics.store(control, word.installed + thread, ++received);
    Atomics.notify(control, word.installed + thread);
    listen();
  };
};
`;

/** Node's threads; undefined in a browser. */
function nodeThreads() {
  const node = typeof process !== "undefined" ? process.getBuiltinModule : undefined;
  return node?.call(process, "node:worker_threads") as typeof import("node:worker_threads") | undefined;
}

function startWorker(data: object): Port {
  const threads = nodeThreads();
  if (threads) {
    const text = `${source}const { parentPort, workerData } = require("node:worker_threads");\nparentPort.on("message", serve(workerData));`;
    // No execArgv: loaders of the parent (for TypeScript, say) must not run here.
    const worker = new threads.Worker(text, { eval: true, workerData: data, execArgv: [] });
    worker.unref();
    return worker;
  }
  const text = `${source}let handle;\nonmessage = ({ data }) => { if (handle) handle(data); else handle = serve(data); };`;
  const worker = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
  worker.postMessage(data);
  return worker;
}
