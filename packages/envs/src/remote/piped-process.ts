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
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fail } from "@reins/core";
import { Messages } from "./messages.ts";

/** How to reach a process that reads requests from one pipe and writes replies to another. */
export interface PipedOptions {
  /** The environment's name in messages. */
  readonly id: string;
  /** Where its standard output goes; standard error is always kept for messages. */
  readonly prints: "ignore" | "inherit";
  /** Explains a missing reply, given the process's standard error. */
  readonly died: (said: string) => never;
  /** Reports an invalid reply. For untrusted programs. */
  readonly malformed?: (what: string) => never;
}

/**
 * A process with blocking requests. The two pipes are opened as files, which Node reads synchronously, unlike the
 * pipes that it creates for children. The process has them as files 3 and 4, and sees the first one close when
 * this process ends.
 */
export class PipedProcess {
  readonly messages: Messages;
  private readonly child: ChildProcess;
  private readonly input: number;
  private readonly output: number;
  /** The same end, non-blocking. */
  private readonly prompt: number;
  /** The process's standard error, in an unnamed file: nothing is left behind. */
  private readonly errors: number;
  private closed = false;

  constructor(command: string, args: readonly string[], { id, prints, died, malformed }: PipedOptions) {
    if (process.platform === "win32")
      fail(id, "environments in other processes need the pipes of Linux or macOS. Use WSL on Windows.");
    const folder = mkdtempSync(join(tmpdir(), "reins-pipes-"));
    try {
      const [commands, answers] = [pipe(id, folder, "commands"), pipe(id, folder, "answers")];
      this.errors = openSync(join(folder, "errors"), "a+");
      this.child = spawn(command, args, {
        stdio: ["ignore", prints, this.errors, commands.read, answers.write],
      });
      // Ends are closed here, so that the other side's exit closes the pipe.
      closeSync(commands.read);
      closeSync(answers.write);
      closeSync(commands.prompt);
      this.input = commands.write;
      this.output = answers.read;
      this.prompt = answers.prompt;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    this.child.on("error", () => {});
    this.child.unref();
    const caution = malformed && { prompt: this.prompt, malformed };
    this.messages = new Messages(this.output, this.input, () => died(this.lastOutput()), caution);
  }

  /** Its process id; undefined if it could not be started. */
  get pid(): number | undefined {
    return this.child.pid;
  }

  get isClosed(): boolean {
    return this.closed;
  }

  /** Closes the pipes, which lets the process end itself. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    for (const file of [this.input, this.output, this.prompt, this.errors]) closeSync(file);
  }

  /** Kills the process. */
  kill(): void {
    this.child.kill("SIGKILL");
    this.close();
  }

  /** The end of its standard error. */
  lastOutput(): string {
    if (this.closed) return "";
    const { size } = fstatSync(this.errors);
    const bytes = Buffer.alloc(Math.min(size, 8192));
    readSync(this.errors, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString().trimEnd().split("\n").slice(-20).join("\n");
  }
}

/** Both ends of a blocking pipe, and a non-blocking second read end: only then the write end can be opened. */
function pipe(
  id: string,
  folder: string,
  name: string,
): { readonly read: number; readonly write: number; readonly prompt: number } {
  const path = join(folder, name);
  const { status, error } = spawnSync("mkfifo", [path]);
  if (status !== 0)
    fail(id, `cannot create a pipe in ${folder}: ${error?.message ?? `mkfifo ended with ${status}`}.`);
  const prompt = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const write = openSync(path, "w");
  const read = openSync(path, "r");
  unlinkSync(path);
  return { read, write, prompt };
}
