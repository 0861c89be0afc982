import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fail } from "@reins/core";

/** Acquires a lock for this process, or throws if another process holds it. The result releases it. */
export function lock(path: string, what: string): () => void {
  const free = tryLock(path);
  if (typeof free === "function") return free;
  return fail(
    what,
    `process ${free} is already measuring it. Wait for it, or stop it; finished runs are kept.`,
  );
}

/** Runs work under a lock, waiting for other processes that hold it. */
export async function withLock<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  let free = tryLock(path);
  for (; typeof free !== "function"; free = tryLock(path)) await pause(50);
  try {
    return await work();
  } finally {
    free();
  }
}

/** Acquires the lock, or returns the process that holds it. A lock belongs to a process: one of a killed process is free. */
function tryLock(path: string): (() => void) | number {
  mkdirSync(dirname(path), { recursive: true });
  const own = `${path}.${process.pid}`;
  writeFileSync(own, `${process.pid}`);
  try {
    for (;;) {
      try {
        // A hard link appears with its content, so a lock is never read half-written.
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
        // The holder has ended.
        rmSync(path, { force: true });
      }
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/** The process that holds a lock; undefined if it was just released. */
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

/** Whether a process is a zombie: in containers these can persist. */
function isZombie(pid: number): boolean {
  try {
    return /^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
