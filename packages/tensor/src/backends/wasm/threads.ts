import { heap } from "../../heap.ts";
import type { Addresses } from "./main.ts";

/** Words of the control block: see `Team`. Two from `arrived` on belong to the barrier; from `installed` on each thread has one. */
const word = { command: 0, context: 1, posted: 2, arrived: 16, installed: 32 };
/**
 * A command is one word, so that a worker never sees half of it: a sequence number above six bits of threads above fourteen of the
 * program.
 */
const command = { program: 14, threads: 6 };
/**
 * Milliseconds that the first run of a program waits for the workers: they start in some forty, and the program is large, or it
 * would not have asked for them. A browser's workers may need the thread that would be waiting.
 */
const patience = 250;
/** How often a worker looks for the next run before it sleeps: some twenty microseconds. */
const looks = 2000;

type Main = (context: number, thread: number, threads: number) => void;
interface Port {
  postMessage(message: unknown): void;
}

/**
 * Workers that run the same programs as the calling thread. They sleep on the control block's command. A new one wakes them:
 * either to run a program on some threads, or (program 0) to return to their event loop and receive a new module. A worker that
 * has received as many modules as were posted goes back to sleep.
 *
 * What keeps this from hanging:
 * - `posted` is raised before the messages go out, so it is never below what a worker has received. A worker leaves for its event
 *   loop only when `posted` is above that, so a message for it exists or is about to, and its handler comes back to listening.
 *   (Raised after, a fast worker saw fewer posted than received, left, and nothing ever called it back.)
 * - The command changes after `posted`. A worker that read the old `posted` therefore finds that the command is no longer the one
 *   it wants to sleep on, and looks again.
 * - A run uses the workers only when each of them has installed the program, counted apart: a sum over workers would let one that
 *   is ahead stand in for one that is behind. A run ends with a barrier, so no command is replaced before all that take part in
 *   it have seen it; a worker that is in its event loop just then finds the command when it listens again.
 */
export interface Team {
  /** Heap offset of the barrier's words. */
  readonly barrier: number;
  /**
   * Sends a program to the workers; the function returned runs it, on one thread until they are all ready. In Node its first run
   * waits for them a little.
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

/** Starts a team of its own; programs share the one of `pool`. */
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
  /** Waits until all have so many programs, unless one never comes. */
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
        // Returns after the last barrier, so no worker is behind by more than the way back to its sleep.
        main(context, 0, threads);
      };
    },
    async ready() {
      while (!installed(Atomics.load(control, word.posted)))
        await new Promise((resolve) => setTimeout(resolve, 1));
    },
  };
}

/** What a worker runs; plain JavaScript, because it is started from its text. */
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
    // No execArgv: loaders of the parent (for TypeScript, say) have no place here.
    const worker = new threads.Worker(text, { eval: true, workerData: data, execArgv: [] });
    worker.unref();
    return worker;
  }
  const text = `${source}let handle;\nonmessage = ({ data }) => { if (handle) handle(data); else handle = serve(data); };`;
  const worker = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
  worker.postMessage(data);
  return worker;
}
