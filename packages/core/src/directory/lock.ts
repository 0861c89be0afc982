import { linkSync, readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { fail } from "../errors.ts";
import { type Files, remove, writeAll } from "./files.ts";

/** Who is using a run directory. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process began, as text. */
  readonly started: string;
  /** When it began by the kernel's own clock, where that can be asked: tells a process from a later one with its number. */
  readonly ticks: string | null;
}

/** The name of the lock in a run directory. */
export const lockName = "lock";

/** What a lock says: nobody holds it, a living process does, or one that has died. */
export function inspectLock(path: string): {
  state: "free" | "held" | "stale";
  holder?: Holder;
  text?: string;
} {
  const file = join(path, lockName);
  let text: string;
  let age: number;
  try {
    text = readFileSync(file, "utf8");
    age = Date.now() - statSync(file).mtimeMs;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { state: "free" };
    throw error;
  }
  let holder: Holder;
  try {
    holder = JSON.parse(text) as Holder;
  } catch {
    // Just made and not yet written, or left by a crash in that moment.
    return { state: age < 2000 ? "held" : "stale", text };
  }
  return { state: isAlive(holder) ? "held" : "stale", holder, text };
}

function isAlive({ pid, host, ticks }: Holder): boolean {
  // Another machine's processes cannot be seen from here: it must be believed.
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  const now = ticksOf(pid);
  return ticks === null || now === null || ticks === now;
}

/** Field 22 of /proc/<pid>/stat; the name in field 2 may itself hold spaces and brackets. */
function ticksOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

/** Takes the lock of a run directory, from a process that died if need be. Returns what gives it back. */
export function takeLock(files: Files, path: string): () => void {
  const file = join(path, lockName);
  for (let tries = 0; ; tries++) {
    try {
      const fd = files.openSync(file, "wx");
      try {
        const started = new Date(Date.now() - process.uptime() * 1000).toISOString();
        const holder: Holder = { pid: process.pid, host: hostname(), started, ticks: ticksOf(process.pid) };
        writeAll(files, fd, Buffer.from(`${JSON.stringify(holder)}\n`));
      } catch (error) {
        remove(files, file);
        throw error;
      } finally {
        files.closeSync(fd);
      }
      return () => files.rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || tries === 3) throw error;
    }
    const { state, holder, text } = inspectLock(path);
    if (state === "held") refuse(path, holder);
    if (state === "stale") discard(files, file, text!);
  }
}

/** Several processes may find the same stale lock, and one of them may have replaced it already: that one is put back. */
function discard(files: Files, file: string, stale: string): void {
  const aside = `${file}.${process.pid}`;
  try {
    files.renameSync(file, aside);
    if (readFileSync(aside, "utf8") !== stale) linkSync(aside, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "EEXIST") throw error;
  }
  files.rmSync(aside, { force: true });
}

function refuse(path: string, holder: Holder | undefined): never {
  if (!holder) fail(path, "another process is just beginning to use this run. Try again in a moment.");
  const { pid, host, started } = holder;
  if (host !== hostname())
    fail(
      path,
      `the run is in use by process ${pid} on ${host}. If that is gone, delete ${join(path, lockName)} and try again.`,
    );
  if (pid === process.pid) fail(path, "the run is open in this process already. close() it first.");
  fail(
    path,
    `the run is in use by process ${pid}, begun ${started}. Wait for it, or stop it with \`kill ${pid}\`.`,
  );
}
