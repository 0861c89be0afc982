import { fileURLToPath } from "node:url";
import { fail, ReinsError } from "@reins/core";
import { kinds, label, type Message, type Messages } from "./messages.ts";
import { PipedProcess } from "./piped-process.ts";

const script = fileURLToPath(new URL("../../python/reins_host.py", import.meta.url));

/** What the other side says when an environment threw an error. */
interface Failure {
  readonly row: number | null;
  readonly error: string;
  readonly trace: string;
}

interface Command {
  readonly call: string;
  readonly [name: string]: unknown;
}

/** A Python process that hosts copies of an environment. Each call waits for its answer in this thread. */
export class PythonHost {
  /** The environment in messages. */
  readonly id: string;
  private readonly python: string;
  private readonly seconds: number;
  private readonly process: PipedProcess;
  private rooms = 0;
  private open = 0;

  constructor(id: string, python: string, seconds: number) {
    this.id = id;
    this.python = python;
    this.seconds = seconds;
    const died = (said: string) => this.died(said);
    this.process = new PipedProcess(python, [script, "3", "4"], { id, prints: "ignore", died });
    if (this.process.pid === undefined) {
      this.close();
      fail(
        id,
        `"${python}" cannot be started. Name a Python that has gymnasium: { python: "python3" }, or REINS_PYTHON.`,
      );
    }
  }

  /** Sends a command, to a room where it concerns one, and waits for its answer. */
  ask(command: Command, room = 0): unknown {
    this.command(command, room);
    const { kind, payload } = this.messages.next();
    return kind === kinds.failure ? this.failed(payload) : JSON.parse(payload.toString());
  }

  /** Sends a command that is answered by columns. */
  command(command: Command, room = 0): void {
    this.messages.send(kinds.command | (room << 8), Buffer.from(JSON.stringify(command)));
  }

  /** The number of another room, which holds some copies of the environment. */
  enter(): number {
    this.open++;
    return ++this.rooms;
  }

  /** Closes a room; the process ends with the last one. */
  leave(room: number): void {
    if (this.isClosed) return;
    if (--this.open === 0) this.close();
    else this.ask({ call: "close" }, room);
  }

  get isClosed(): boolean {
    return this.process.isClosed;
  }

  /** Sends the bytes of a step, which begin as {@link stepMessage} made them. */
  step(message: Uint8Array): void {
    this.messages.write(message);
  }

  /** Reads columns into `memory`, after their header. */
  columns(memory: Uint8Array): void {
    const other: Message | undefined = this.messages.readInto(memory, kinds.columns);
    if (other) this.failed(other.payload);
  }

  /** Ends the process. */
  close(): void {
    this.process.close();
  }

  private get messages(): Messages {
    if (this.isClosed) fail(this.id, "it was closed. Make a new one.");
    return this.process.messages;
  }

  private failed(text: Buffer): never {
    const { row, error, trace } = JSON.parse(text.toString()) as Failure;
    const where = row === null ? this.id : `${this.id}, row ${row}`;
    throw new ReinsError(`${where}: ${error.replace(/\.?\s*$/, ".")}\n${trace.trimEnd()}`);
  }

  /** Says why the process is gone, as far as its last words tell. */
  private died(said: string): never {
    this.close();
    if (/No module named ['"](gymnasium|numpy|pettingzoo)/.test(said))
      fail(
        this.id,
        `${this.python} has no ${/named ['"](\w+)/.exec(said)![1]}. Install it there (pip install gymnasium), or name another Python: { python }, or REINS_PYTHON.`,
      );
    if (said.includes("Timeout (")) {
      const trace = said.slice(said.lastIndexOf("Timeout ("));
      fail(
        this.id,
        `Python gave no answer for ${this.seconds} s and was ended. { timeout } allows more.\n${trace}`,
      );
    }
    return fail(this.id, `the Python process ended.${said ? ` Its last words:\n${said}` : ""}`);
  }
}

/** Room for the actions of a step, after a header, which is the same each time. */
export function stepMessage(bytes: number, room: number): Uint8Array {
  const message = new Uint8Array(bytes);
  label(message, kinds.step | (room << 8));
  return message;
}
