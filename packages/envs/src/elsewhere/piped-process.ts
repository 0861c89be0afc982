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

/** How a process is reached that is asked through one pipe and answers through another. */
export interface PipedOptions {
  /** What messages call the environment. */
  readonly id: string;
  /** What becomes of what it prints; errors are kept for messages in any case. */
  readonly prints: "ignore" | "inherit";
  /** Says why there is no answer, given what the process wrote to its standard error. */
  readonly died: (said: string) => never;
  /** Says what came instead of an answer. Given for programs that may send anything. */
  readonly malformed?: (what: string) => never;
}

/**
 * A process that this thread waits for. The two pipes are opened as files, which Node reads as long as it takes, while those that it
 * makes for children never let it wait. The process has them as files 3 and 4, and sees the end of the first when this one ends.
 */
export class PipedProcess {
  readonly messages: Messages;
  private readonly child: ChildProcess;
  private readonly input: number;
  private readonly output: number;
  /** The same end, whose reads do not wait. */
  private readonly prompt: number;
  /** What the process writes to its standard error. It has no name: nothing is left behind. */
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
      // Ends are closed here, so that the death of the other side ends the pipe.
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
    this.messages = new Messages(this.output, this.input, () => died(this.lastWords()), caution);
  }

  /** Its number; undefined where it could not be started. */
  get pid(): number | undefined {
    return this.child.pid;
  }

  get isClosed(): boolean {
    return this.closed;
  }

  /** Ends the pipes, which lets the process end itself. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    for (const file of [this.input, this.output, this.prompt, this.errors]) closeSync(file);
  }

  /** Ends the process whatever it does. */
  kill(): void {
    this.child.kill("SIGKILL");
    this.close();
  }

  /** The end of what it has written to its standard error. */
  lastWords(): string {
    if (this.closed) return "";
    const { size } = fstatSync(this.errors);
    const bytes = Buffer.alloc(Math.min(size, 8192));
    readSync(this.errors, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString().trimEnd().split("\n").slice(-20).join("\n");
  }
}

/** Both ends of a pipe whose reads wait, and the first end again, whose reads do not: only then the second can be opened. */
function pipe(
  id: string,
  folder: string,
  name: string,
): { readonly read: number; readonly write: number; readonly prompt: number } {
  const path = join(folder, name);
  const { status, error } = spawnSync("mkfifo", [path]);
  if (status !== 0)
    fail(id, `no pipe can be made in ${folder}: ${error?.message ?? `mkfifo ended with ${status}`}.`);
  const prompt = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const write = openSync(path, "w");
  const read = openSync(path, "r");
  unlinkSync(path);
  return { read, write, prompt };
}
