/**
 * A process that races for the lock of run directories: one race per input line, a JSON object. A process that gets the lock creates
 * a file exclusively, holds it for a moment, and removes it: if the file already exists, two processes hold the lock.
 */
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { RunDirectory } from "@reins/core/directory";
import { type Arm, armed } from "./fault.ts";

/** Input of a racer. */
export interface Race {
  readonly path: string;
  /** The file that at most one process may create. */
  readonly journal: string;
  /** Start time of all racers, in milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds to hold the lock. */
  readonly hold: number;
  /** Whether to die while holding the lock. */
  readonly die: boolean;
  /** Seed of the delays of its file operations; 0 for none. */
  readonly slow: number;
}

/** Output of a racer. */
export interface RaceResult {
  readonly result: "held" | "refused" | "double" | "wrong";
  readonly why?: string;
}

const wait = new Int32Array(new SharedArrayBuffer(4));
const arm = (globalThis as { [armed]?: Arm })[armed];

function race({ path, journal, at, hold, die, slow }: Race): RaceResult {
  while (Date.now() < at);
  if (slow) arm?.({ root: path, kind: "slow", at: slow, reads: true });
  const directory = RunDirectory.open(path);
  try {
    directory.log(1, { x: 1 });
  } catch (error) {
    const { name, message } = error as Error;
    return name === "ReinsError" ? { result: "refused", why: message } : { result: "wrong", why: message };
  } finally {
    arm?.(undefined);
  }
  let mine = false;
  try {
    closeSync(openSync(journal, "wx"));
    mine = true;
    Atomics.wait(wait, 0, 0, hold);
    if (die) {
      rmSync(journal);
      process.kill(process.pid, "SIGKILL");
    }
    return { result: "held" };
  } catch (error) {
    return {
      result: "double",
      why: `${(error as Error).message}; the lock says ${readFileSync(`${path}/lock`)}`,
    };
  } finally {
    if (mine) rmSync(journal, { force: true });
    directory.close();
  }
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(race(JSON.parse(line) as Race))}\n`);
