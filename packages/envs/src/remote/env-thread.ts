import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
  type WorkerOptions,
} from "node:worker_threads";
import type { Question, Span, Started } from "./carrier.ts";
import { type Call, type Carrier, type Change, type Failure, Identity, type Job } from "./carrier.ts";
import { workerFlags } from "./node-flags.ts";
import type { SharedColumns } from "./shared-columns.ts";
import { signals, type ThreadData } from "./signals.ts";
import { startingTime } from "./watchdog-settings.ts";

const script = new URL("../../dist/packed/thread.js", import.meta.url);

/** A thread with the flags of this process, except for process-only flags: it shares them. */
function newWorker(options: WorkerOptions): Worker {
  const execArgv = workerFlags();
  try {
    return new Worker(script, { ...options, execArgv });
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code !== "ERR_WORKER_INVALID_EXEC_ARGV") throw error;
    const refused = message.replace(/^.*?: /, "").split(", ");
    return new Worker(script, { ...options, execArgv: execArgv.filter((flag) => !refused.includes(flag)) });
  }
}

/** Spin iterations before this thread sleeps: waking up takes longer than a short step. */
const looks = 2000;

/** A worker in a thread, which shares memory with this one. */
export class EnvThread implements Carrier {
  private readonly identity: Identity;
  private readonly timeout: number;
  private readonly worker: Worker;
  private readonly port: MessagePort;
  private closed = false;
  private readonly signal = new Int32Array(new SharedArrayBuffer(4)).fill(signals.call);

  constructor(job: Job, place: string) {
    this.identity = new Identity(job.file, `worker thread ${place}`);
    this.timeout = job.timeout;
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    const data: ThreadData = { job, signal: this.signal, port: port2 };
    this.worker = newWorker({ workerData: data, transferList: [port2] });
    this.worker.on("error", () => {});
    // Neither keeps the process alive.
    this.worker.unref();
    this.port.unref();
  }

  started(): Started {
    const started = this.wait(startingTime(this.timeout)) as Started;
    this.identity.id = started.spec.id;
    return started;
  }

  readonly allocate = (bytes: number) => new SharedArrayBuffer(bytes);

  share({ memory }: SharedColumns, rows: Span): void {
    this.identity.rows = rows;
    this.ask({ call: "share", memory: memory as SharedArrayBuffer });
  }

  begin(change?: Change): void {
    if (change) this.say(change);
    else this.tell(signals.step);
  }

  finish(): void {
    for (let i = 0; i < looks; i++) if (Atomics.load(this.signal, 0) === signals.idle) return;
    this.rest();
  }

  ask(question: Question): unknown {
    this.say(question);
    return this.wait();
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    try {
      if (Atomics.load(this.signal, 0) === signals.idle) this.ask({ call: "close" });
    } catch {
      // An unresponsive worker is terminated too.
    } finally {
      void this.worker.terminate();
      this.port.close();
    }
  }

  private say(call: Call): void {
    this.port.postMessage(call);
    this.tell(signals.call);
  }

  private tell(what: number): void {
    if (Atomics.load(this.signal, 0) === signals.exited) this.ended();
    Atomics.store(this.signal, 0, what);
    Atomics.notify(this.signal, 0);
  }

  private wait(milliseconds?: number): unknown {
    this.rest(milliseconds);
    return (receiveMessageOnPort(this.port) as { message: { value: unknown } }).message.value;
  }

  /** Sleeps until the thread is idle again. */
  private rest(milliseconds = this.timeout): void {
    for (;;) {
      const now = Atomics.load(this.signal, 0);
      if (now === signals.idle) return;
      if (now === signals.failed) this.failed();
      if (now === signals.exited) this.ended();
      if (Atomics.wait(this.signal, 0, now, milliseconds) === "timed-out") this.identity.late(milliseconds);
    }
  }

  private failed(): never {
    const { message } = receiveMessageOnPort(this.port) as { message: Failure };
    this.tell(signals.idle);
    return this.identity.failed(message);
  }

  private ended(): never {
    return this.identity.ended("the environment called process.exit(), or ran out of memory.");
  }
}
