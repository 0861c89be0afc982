import { fileURLToPath } from "node:url";
import { fail, ReinsError } from "@reins/core";
import { kinds, label, type Message, type Messages, sizeOf } from "./messages.ts";
import { PipedProcess } from "./piped-process.ts";

const script = fileURLToPath(new URL("../../python/reins_host.py", import.meta.url));

/** Start-up time of Python in milliseconds, in addition to the timeout of a call. */
const startUp = 30_000;

/** The message for an error that an environment threw. */
interface Failure {
  readonly row: number | null;
  readonly error: string;
  readonly trace: string;
}

interface Command {
  readonly call: string;
  readonly [name: string]: unknown;
}

/** A Python process that hosts copies of an environment. Calls block this thread. */
export class PythonHost {
  /** The environment's name in messages. */
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
    const malformed = (what: string) => this.malformed(what);
    this.process = new PipedProcess(python, [script, "3", "4"], { id, prints: "ignore", died, malformed });
    if (this.process.pid === undefined) {
      this.close();
      fail(
        id,
        `"${python}" cannot be started. Set a Python with gymnasium: { python: "python3" }, or REINS_PYTHON.`,
      );
    }
  }

  /** Sends a command, optionally to a room, and waits for its reply. */
  ask(command: Command, room = 0): unknown {
    this.command(command, room);
    // Python's own watchdog replies first, with a stack trace.
    const { kind, payload } = this.messages.next(1000 * this.seconds + startUp);
    if (kind === kinds.failure) return this.failed(payload);
    if (kind !== kinds.answer) this.malformed(`a message of kind ${kind}, where an answer was expected`);
    return this.jsonIn(payload);
  }

  /** Ends the process and reports its invalid reply. */
  malformed(what: string): never {
    const said = this.process.lastOutput();
    this.process.kill();
    return fail(
      this.id,
      `the Python process sent ${what}. It was ended. Only Reins may write to its file descriptor 4; its interpreter is "${this.python}" ({ python }, or REINS_PYTHON).${said ? ` Its last output:\n${said}` : ""}`,
    );
  }

  private jsonIn(payload: Buffer): unknown {
    const text = payload.toString();
    try {
      return JSON.parse(text);
    } catch {
      return this.malformed(`an answer that is not JSON: ${JSON.stringify(text.slice(0, 80))}`);
    }
  }

  /** Sends a command whose reply is columns. */
  command(command: Command, room = 0): void {
    this.messages.send(kinds.command | (room << 8), Buffer.from(JSON.stringify(command)));
  }

  /** Opens a room, which holds some copies of the environment; returns its number. */
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

  /** Sends a step message from {@link stepMessage}. */
  step(message: Uint8Array): void {
    this.messages.write(message);
  }

  /** Reads columns into `memory`, after their header. Returns the number of received bytes. */
  columns(memory: Uint8Array): number {
    const other: Message | undefined = this.messages.readInto(memory, kinds.columns);
    if (other?.kind === kinds.failure) this.failed(other.payload);
    if (other) this.malformed(`a message of kind ${other.kind}, where columns were expected`);
    return sizeOf(memory);
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
    const { row, error, trace } = Object(this.jsonIn(text)) as Failure;
    if (typeof error !== "string" || typeof trace !== "string") this.malformed("a failure without its error");
    const where = row === null ? this.id : `${this.id}, row ${row}`;
    throw new ReinsError(`${where}: ${error.replace(/\.?\s*$/, ".")}\n${trace.trimEnd()}`);
  }

  /** Explains why the process ended, from its last output. */
  private died(said: string): never {
    this.close();
    if (/No module named ['"](gymnasium|numpy|pettingzoo)/.test(said))
      fail(
        this.id,
        `${this.python} has no ${/named ['"](\w+)/.exec(said)![1]}. Install it there (pip install gymnasium), or set another Python: { python }, or REINS_PYTHON.`,
      );
    if (said.includes("Timeout (")) {
      const trace = said.slice(said.lastIndexOf("Timeout ("));
      fail(
        this.id,
        `Python did not reply within ${this.seconds} s and was ended. Raise { timeout } for slow environments.\n${trace}`,
      );
    }
    return fail(this.id, `the Python process ended.${said ? ` Its last output:\n${said}` : ""}`);
  }
}

/** A buffer for the actions of a step, after a fixed header. */
export function stepMessage(bytes: number, room: number): Uint8Array {
  const message = new Uint8Array(bytes);
  label(message, kinds.step | (room << 8));
  return message;
}
