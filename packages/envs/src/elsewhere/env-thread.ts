import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { fail, ReinsError } from "@reins/core";
import { type Call, type Started, signals, type WorkerData } from "./worker-signals.ts";

/** Built code: Node runs no TypeScript, and tests run from the sources. */
const script = new URL("../../dist/elsewhere/worker.js", import.meta.url);

/** The flags of this process, but for the condition by which tests find sources: the thread runs what is built. */
const flags = () =>
  process.execArgv.filter((flag, i, all) => {
    const sources = flag === "--conditions" ? all[i + 1] : all[i - 1] === "--conditions" ? flag : "";
    return sources !== "source";
  });

/** How many looks are taken before this thread sleeps: waking up takes longer than a short step. */
const looks = 2000;

/** A worker thread that plays some copies of an environment. Whoever asks it for something waits, in this thread. */
export class EnvThread {
  /** The first of its rows. */
  from = 0;
  private readonly file: string;
  private readonly milliseconds: number;
  private readonly worker: Worker;
  private readonly port: MessagePort;
  private closed = false;
  private readonly signal = new Int32Array(new SharedArrayBuffer(4)).fill(signals.call);

  constructor(file: string, options: object, copies: number, milliseconds: number) {
    this.file = file;
    this.milliseconds = milliseconds;
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    const data: WorkerData = { file, options, copies, signal: this.signal, port: port2 };
    this.worker = new Worker(script, { workerData: data, transferList: [port2], execArgv: flags() });
    this.worker.on("error", () => {});
    // Neither keeps the process alive.
    this.worker.unref();
    this.port.unref();
  }

  /** Waits until the environment is made, and says what it is like. */
  started(): Started {
    // Loading code takes longer than a step.
    return this.wait(Math.max(this.milliseconds, 60_000)) as Started;
  }

  /** Lets it take a step, for which {@link finish} waits. */
  begin(): void {
    this.tell(signals.step);
  }

  finish(): void {
    for (let i = 0; i < looks; i++) if (Atomics.load(this.signal, 0) === signals.idle) return;
    this.rest();
  }

  /** Asks for anything else, and waits for the answer. */
  ask(call: Call): unknown {
    this.port.postMessage(call);
    this.tell(signals.call);
    return this.wait();
  }

  /** Ends the thread, after the environment has been closed if it still answers. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    try {
      if (Atomics.load(this.signal, 0) === signals.idle) this.ask({ call: "close" });
    } catch {
      // What does not answer any more is ended all the same.
    } finally {
      void this.worker.terminate();
      this.port.close();
    }
  }

  private tell(what: number): void {
    if (Atomics.load(this.signal, 0) === signals.gone) this.ended();
    Atomics.store(this.signal, 0, what);
    Atomics.notify(this.signal, 0);
  }

  private wait(milliseconds = this.milliseconds): unknown {
    this.rest(milliseconds);
    return (receiveMessageOnPort(this.port) as { message: { value: unknown } }).message.value;
  }

  /** Sleeps until the thread is idle again. */
  private rest(milliseconds = this.milliseconds): void {
    for (;;) {
      const now = Atomics.load(this.signal, 0);
      if (now === signals.idle) return;
      if (now === signals.failed) this.failed();
      if (now === signals.gone) this.ended();
      if (Atomics.wait(this.signal, 0, now, milliseconds) === "timed-out")
        fail(this.file, `a worker gave no answer for ${milliseconds} ms. { timeout } allows more.`);
    }
  }

  private failed(): never {
    const received = receiveMessageOnPort(this.port) as { message: { message: string; stack?: string } };
    const { message, stack } = received.message;
    this.tell(signals.idle);
    const cause = new Error(message);
    if (stack) cause.stack = stack;
    // A worker counts its own rows.
    const here = message.replace(/, row (\d+):/, (_, row) => `, row ${Number(row) + this.from}:`);
    throw new ReinsError(here === message && !message.includes(": ") ? `${this.file}: ${message}` : here, {
      cause,
    });
  }

  private ended(): never {
    return fail(
      this.file,
      "its worker thread has ended: the environment called process.exit(), or ran out of memory.",
    );
  }
}
