import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fail } from "@reins/core";

/** Says that this process works on something, and refuses where another one does. The result gives it up again. */
export function lock(path: string, what: string): () => void {
  const free = tryLock(path);
  if (typeof free === "function") return free;
  return fail(what, `process ${free} is measuring it. Wait for it to end, or stop it: what it did is kept.`);
}

/** Does something while no other process does it, and waits for whoever is at it. */
export async function alone<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  let free = tryLock(path);
  for (; typeof free !== "function"; free = tryLock(path)) await pause(50);
  try {
    return await work();
  } finally {
    free();
  }
}

/** Locks, or says which process has. A lock belongs to a process: whoever was killed holds none. */
function tryLock(path: string): (() => void) | number {
  mkdirSync(dirname(path), { recursive: true });
  const own = `${path}.${process.pid}`;
  writeFileSync(own, `${process.pid}`);
  try {
    for (;;) {
      try {
        // A link is there with its content or not at all: nobody reads a lock that is half written.
        linkSync(own, path);
        const free = () => rmSync(path, { force: true });
        process.once("exit", free);
        return () => {
          process.off("exit", free);
          free();
        };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
        const holder = holderOf(path);
        if (holder !== undefined && isAlive(holder)) return holder;
        // Whoever held it is gone.
        rmSync(path, { force: true });
      }
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/** The process that a lock names; undefined where it was given up just now. */
function holderOf(path: string): number | undefined {
  try {
    return Number(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Whether a process has ended and nobody has asked how: in containers such ones may stay. */
function isZombie(pid: number): boolean {
  try {
    return /^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
