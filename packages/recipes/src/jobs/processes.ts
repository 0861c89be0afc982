import { type ChildProcess, fork, spawn } from "node:child_process";
import { ReinsError } from "@reins/core";
import type { Worker } from "./pool.ts";

/** Settings of {@link forkedWorker}. */
export interface ForkOptions {
  readonly args?: readonly string[];
  /** Environment variables of the process, added to those of this one. */
  readonly env?: { readonly [name: string]: string };
}

/** Settings of {@link spawnedWorker}. */
export interface SpawnOptions<T> {
  /** The program and its arguments for a task. */
  readonly command: (task: T) => readonly string[];
  readonly env?: { readonly [name: string]: string };
}

/** A result, or an error and whether it is a message for the user or a bug with a stack. */
type Answer<R> = { readonly result: R } | { readonly error: string; readonly told?: boolean };

/** A worker whose process stays for later tasks, so that compiled functions are reused. The file calls {@link serveTasks}. */
export function forkedWorker<T, R>(file: string, { args = [], env }: ForkOptions = {}): Worker<T, R> {
  let child: ChildProcess | undefined;
  return {
    do(task) {
      // A process that exited on its own is replaced.
      if (!child?.connected)
        child = fork(file, args, {
          env: { ...process.env, ...env },
          stdio: ["ignore", "ignore", "inherit", "ipc"],
          serialization: "advanced",
          // Not those of a test runner.
          execArgv: [],
        });
      const asked = child;
      return new Promise((answered, failed) => {
        const finish = (settle: () => void) => {
          asked.off("exit", onExit).off("error", onError).off("message", onMessage);
          settle();
        };
        const exited = (reason: string) => finish(() => failed(new Error(reason)));
        const onExit = (code: number | null, signal: string | null) =>
          exited(`its process ended with ${signal ?? `code ${code}`}`);
        const onError = (error: Error) => exited(error.message);
        const onMessage = (message: unknown) => {
          const answer = message as Answer<R>;
          finish(() => ("error" in answer ? failed(errorOf(answer)) : answered(answer.result)));
        };
        asked.on("exit", onExit).on("error", onError).on("message", onMessage);
        asked.send(task as object);
      });
    },
    end: (signal) => (child ? ended(child, signal) : Promise.resolve()),
  };
}

const errorOf = ({ error, told }: { readonly error: string; readonly told?: boolean }) =>
  told ? new ReinsError(error) : new Error(error);

/** In the process of {@link forkedWorker}: runs each task that it receives, and exits when the parent disconnects. */
export function serveTasks<T, R>(work: (task: T) => R | Promise<R>): void {
  process.on("message", async (task: T) => {
    let answer: Answer<R>;
    try {
      answer = { result: await work(task) };
    } catch (error) {
      answer = error instanceof ReinsError ? { error: error.message, told: true } : { error: placeOf(error) };
    }
    process.send?.(answer);
  });
  process.on("disconnect", () => process.exit());
}

/** The error with its stack. */
const placeOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : `it threw ${error}`;

/** A worker with one process per task, whose last line of output is the result as JSON. */
export function spawnedWorker<T, R>({ command, env }: SpawnOptions<T>): Worker<T, R> {
  let child: ChildProcess | undefined;
  return {
    do(task) {
      const [program, ...args] = command(task);
      const started = spawn(program, args, {
        env: { ...process.env, ...env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      child = started;
      let [out, err] = ["", ""];
      started.stdout.on("data", (text: Buffer) => (out += text));
      started.stderr.on("data", (text: Buffer) => (err += text));
      return new Promise((done, failed) => {
        started.once("error", failed);
        started.once("close", (code) => {
          const last = out.trim().split("\n").at(-1) ?? "";
          try {
            if (code === 0) return done(JSON.parse(last) as R);
          } catch {}
          failed(new Error(err.trim() || `exit code ${code}; the last line was "${last}"`));
        });
      });
    },
    end: (signal) => (child ? ended(child, signal) : Promise.resolve()),
  };
}

/** Grace period in milliseconds before a process is killed. */
const grace = 1000;

/** Ends a process with a signal, then kills it. */
function ended(child: ChildProcess, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null)
    return Promise.resolve();
  return new Promise((exited) => {
    const insist = setTimeout(() => child.kill("SIGKILL"), grace);
    child.once("exit", () => {
      clearTimeout(insist);
      exited();
    });
    child.kill(signal);
  });
}
