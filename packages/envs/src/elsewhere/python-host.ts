import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  constants,
  fstatSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fail, ReinsError } from "@reins/core";

const script = fileURLToPath(new URL("../../python/reins_host.py", import.meta.url));
const header = 8;
/** Kinds of messages, as in `reins_host.py`. */
const kinds = { command: 0, step: 1, columns: 0, answer: 1, failure: 2 } as const;

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

/**
 * A Python process that hosts copies of an environment. Each call waits for its answer in this thread: the two pipes are opened as
 * files, which Node reads as long as it takes, while those that it makes for children never let it wait.
 */
export class PythonHost {
  /** The environment in messages. */
  readonly id: string;
  private readonly python: string;
  private readonly seconds: number;
  private readonly child: ChildProcess;
  private readonly input: number;
  private readonly output: number;
  /** What the process prints, its errors included. It has no name: nothing is left behind. */
  private readonly errors: number;
  private readonly head = Buffer.alloc(header);
  private rooms = 0;
  private open = 0;
  private closed = false;

  constructor(id: string, python: string, seconds: number) {
    if (process.platform === "win32")
      fail(id, "environments in Python need the pipes of Linux or macOS. Use WSL on Windows.");
    this.id = id;
    this.python = python;
    this.seconds = seconds;
    const folder = mkdtempSync(join(tmpdir(), "reins-python-"));
    try {
      const [commands, answers] = [pipe(folder, "commands"), pipe(folder, "answers")];
      this.errors = openSync(join(folder, "errors"), "a+");
      this.child = spawn(python, [script, "3", "4"], {
        stdio: ["ignore", "ignore", this.errors, commands.read, answers.write],
      });
      // Ends are closed here, so that the death of the other side ends the pipe.
      closeSync(commands.read);
      closeSync(answers.write);
      this.input = commands.write;
      this.output = answers.read;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    this.child.on("error", () => {});
    this.child.unref();
    if (this.child.pid === undefined) {
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
    return this.answer();
  }

  /** Sends a command that is answered by columns. */
  command(command: Command, room = 0): void {
    const text = Buffer.from(JSON.stringify(command));
    const message = Buffer.alloc(header + text.length);
    message.writeUInt32LE(kinds.command | (room << 8), 0);
    message.writeUInt32LE(text.length, 4);
    text.copy(message, header);
    this.write(message);
  }

  /** The number of another room, which holds some copies of the environment. */
  enter(): number {
    this.open++;
    return ++this.rooms;
  }

  /** Closes a room; the process ends with the last one. */
  leave(room: number): void {
    if (this.closed) return;
    if (--this.open === 0) this.close();
    else this.ask({ call: "close" }, room);
  }

  get isClosed(): boolean {
    return this.closed;
  }

  /** Sends the bytes of a step, which begin as {@link stepMessage} made them. */
  step(message: Uint8Array): void {
    this.write(message);
  }

  /** Reads columns into `memory`, after their header. */
  columns(memory: Uint8Array): void {
    let got = this.read(memory, 0, memory.length);
    while (got < header) got += this.read(memory, got, memory.length - got);
    const size = header + numberAt(memory, 4);
    if (numberAt(memory, 0) !== kinds.columns) {
      const text = Buffer.alloc(size - header);
      text.set(memory.subarray(header, got));
      for (let at = got - header; at < text.length; ) at += this.read(text, at, text.length - at);
      this.failed(text);
    }
    while (got < size) got += this.read(memory, got, size - got);
  }

  /** Ends the process. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    for (const file of [this.input, this.output, this.errors]) closeSync(file);
  }

  private answer(): unknown {
    for (let got = 0; got < header; ) got += this.read(this.head, got, header - got);
    const text = Buffer.alloc(this.head.readUInt32LE(4));
    for (let at = 0; at < text.length; ) at += this.read(text, at, text.length - at);
    if (this.head.readUInt32LE(0) === kinds.failure) return this.failed(text);
    return JSON.parse(text.toString());
  }

  private failed(text: Buffer): never {
    const { row, error, trace } = JSON.parse(text.toString()) as Failure;
    const where = row === null ? this.id : `${this.id}, row ${row}`;
    throw new ReinsError(`${where}: ${error.replace(/\.?\s*$/, ".")}\n${trace.trimEnd()}`);
  }

  private write(message: Uint8Array): void {
    if (this.closed) fail(this.id, "it was closed. Make a new one.");
    try {
      for (let sent = 0; sent < message.length; ) sent += writeSync(this.input, message, sent);
    } catch {
      this.died();
    }
  }

  private read(into: Uint8Array, at: number, size: number): number {
    const got = readSync(this.output, into, at, size, null);
    return got === 0 ? this.died() : got;
  }

  /** Says why the process is gone, as far as its last words tell. */
  private died(): never {
    const said = this.lastWords();
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

  private lastWords(): string {
    const { size } = fstatSync(this.errors);
    const bytes = Buffer.alloc(Math.min(size, 8192));
    readSync(this.errors, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString().trimEnd().split("\n").slice(-20).join("\n");
  }
}

/** Room for the actions of a step, after a header, which is the same each time. */
export function stepMessage(bytes: number, room: number): Uint8Array {
  const message = Buffer.from(new ArrayBuffer(bytes));
  message.writeUInt32LE(kinds.step | (room << 8), 0);
  message.writeUInt32LE(bytes - header, 4);
  return message;
}

const numberAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;

/** Both ends of a pipe whose reads wait. The first end is opened without waiting, for only then the second can be. */
function pipe(folder: string, name: string): { readonly read: number; readonly write: number } {
  const path = join(folder, name);
  const { status, error } = spawnSync("mkfifo", [path]);
  if (status !== 0)
    fail("python", `no pipe can be made in ${folder}: ${error?.message ?? `mkfifo ended with ${status}`}.`);
  const first = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const write = openSync(path, "w");
  const read = openSync(path, "r");
  closeSync(first);
  unlinkSync(path);
  return { read, write };
}
