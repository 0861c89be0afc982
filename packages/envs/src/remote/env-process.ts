import { fileURLToPath } from "node:url";
import { deserialize, serialize } from "node:v8";
import type { Question, Span, Started } from "./carrier.ts";
import { type Carrier, type Change, type Failure, Identity, type Job } from "./carrier.ts";
import { kinds, label, type Message } from "./messages.ts";
import { workerFlags } from "./node-flags.ts";
import { PipedProcess } from "./piped-process.ts";
import type { SharedColumns } from "./shared-columns.ts";
import { startingTime, tooLate } from "./watchdog-settings.ts";

const script = fileURLToPath(new URL("../../dist/packed/process.js", import.meta.url));

/**
 * A worker in a separate process: its crash becomes an error here, and its memory is separate, so columns are
 * copied through pipes.
 */
export class EnvProcess implements Carrier {
  private readonly identity: Identity;
  private readonly process: PipedProcess;
  private readonly timeout: number;
  private columns: SharedColumns | undefined;
  private isStarted = false;
  /** Whether a reply is pending. */
  private busy = true;

  constructor(job: Job, place: string) {
    const { file, timeout } = job;
    this.timeout = timeout;
    const died = (said: string) => this.died(said);
    this.process = new PipedProcess(process.execPath, [...workerFlags(), script], {
      id: file,
      prints: "inherit",
      died,
    });
    this.identity = new Identity(file, `worker process ${place} (pid ${this.process.pid})`);
    this.process.messages.send(kinds.command, serialize(job));
  }

  started(): Started {
    const started = this.answered(this.process.messages.next()) as Started;
    this.isStarted = true;
    this.identity.id = started.spec.id;
    return started;
  }

  readonly allocate = (bytes: number) => new ArrayBuffer(bytes);

  share(columns: SharedColumns, rows: Span): void {
    this.columns = columns;
    this.identity.rows = rows;
    label(columns.acted, kinds.step);
    this.ask({ call: "share", memory: undefined });
  }

  begin(change?: Change): void {
    if (change) this.send(serialize(change));
    else {
      this.admit();
      this.process.messages.write(this.columns!.acted);
    }
  }

  finish(): void {
    const other = this.process.messages.readInto(this.columns!.led, kinds.columns);
    this.busy = false;
    if (other) this.answered(other);
  }

  ask(question: Question): unknown {
    this.send(serialize(question));
    return this.answered(this.process.messages.next());
  }

  close(): void {
    // It ends itself when its parent has exited, unless it is busy.
    if (this.busy) this.process.kill();
    else this.process.close();
  }

  private send(payload: Uint8Array): void {
    this.admit();
    this.process.messages.send(kinds.command, payload);
  }

  private admit(): void {
    if (this.process.isClosed) this.identity.ended("it was closed. Make a new one.");
    this.busy = true;
  }

  private answered({ kind, payload }: Message): unknown {
    this.busy = false;
    if (kind === kinds.answer) return deserialize(payload);
    if (kind === kinds.failure) return this.identity.failed(deserialize(payload) as Failure);
    return this.exited(`the environment called process.exit(${payload[0]})`, this.process.lastOutput());
  }

  /** It did not reply, and could not say why. */
  private died(said: string): never {
    if (!said.endsWith(tooLate)) return this.exited("it was killed or ran out of memory", said);
    this.process.close();
    return this.identity.late(this.isStarted ? this.timeout : startingTime(this.timeout));
  }

  private exited(why: string, said: string): never {
    this.process.close();
    return this.identity.ended(`${why}.${said ? ` Its last output:\n${said}` : ""}`);
  }
}
