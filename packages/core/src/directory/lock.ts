import { lstatSync, readdirSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { fail } from "../errors.ts";
import { reading } from "./failures.ts";
import { disk, type Files, openNew, remove, writeAll } from "./files.ts";
import { type Holder, holderIn, isAlive, markOf, ofMark, ownHolder } from "./holder.ts";
import { plainReader, type Reader } from "./reader.ts";

/** Name of the lock file in a run directory. */
export const lockName = "lock";

/** State of a lock: free, held by a living process, or left by a dead one. */
export function inspectLock(
  path: string,
  reader: Reader = plainReader,
): {
  state: "free" | "held" | "stale";
  holder?: Holder;
} {
  const file = join(path, lockName);
  let text: string;
  let age: number;
  try {
    text = reader.text(file);
    age = Date.now() - lstatSync(file).mtimeMs;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { state: "free" };
    return reading(file, () => {
      throw error;
    });
  }
  const holder = holderIn(text);
  // An older version created it and has not written it yet, or crashed in that moment.
  if (!holder) return { state: age < 2000 ? "held" : "stale" };
  return { state: isAlive(holder) ? "held" : "stale", holder };
}

/** Retries while other processes are about to take the same lock. */
const patience = 40;

/**
 * Takes the lock of a run directory, also from a dead process. Returns the function that releases it.
 *
 * A process first puts its claim beside the lock, then looks for other claims, and only if there is none checks the lock and
 * renames its claim to it. Of two processes the later to claim sees the other's claim or lock, so both never continue; and no
 * process removes a lock that it only believes to be left by a dead one.
 */
export function takeLock(files: Files, path: string): () => void {
  const file = join(path, lockName);
  const holder = ownHolder();
  const text = `${JSON.stringify(holder)}\n`;
  const claim = `${file}.${markOf(holder)}`;
  for (let tries = 1; ; tries++) {
    try {
      write(files, claim, text);
      const rival = rivalOf(files, path, claim);
      if (!rival) {
        const { state, holder: other } = inspectLock(path);
        if (state === "held") refuse(path, other);
        files.renameSync(claim, file);
        return () => giveBack(files, file, text);
      }
      if (tries === patience) refuse(path, undefined, rival);
    } catch (error) {
      remove(files, claim);
      throw error;
    }
    remove(files, claim);
    // All retry, each after a different delay, so that one of them is alone.
    Atomics.wait(pause, 0, 0, 1 + Math.random() * Math.min(50, 4 * tries));
  }
}

/** Takes the lock of a folder that only one process may use, such as a search. Returns the function that releases it. */
export const lockFolder = (path: string): (() => void) => takeLock(disk, path);

const pause = new Int32Array(new SharedArrayBuffer(4));

function write(files: Files, path: string, text: string): void {
  const fd = openNew(files, path);
  try {
    writeAll(files, fd, Buffer.from(text));
  } finally {
    files.closeSync(fd);
  }
}

/** The claim of another living process, by name. Claims of dead ones are removed. */
function rivalOf(files: Files, path: string, own: string): string | undefined {
  for (const name of readdirSync(path)) {
    const claim = join(path, name);
    if (!name.startsWith(`${lockName}.`) || claim === own) continue;
    const other = ofMark(name.slice(lockName.length + 1));
    if (other && isAlive(other)) return name;
    remove(files, claim);
  }
  return undefined;
}

/** After a lock was deleted by hand, another process may have taken it. */
function giveBack(files: Files, file: string, text: string): void {
  try {
    if (plainReader.text(file) !== text) return;
  } catch (error) {
    // A failing disk is reported: the lock stays.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return;
  }
  files.rmSync(file, { force: true });
}

function refuse(path: string, holder: Holder | undefined, claim?: string): never {
  if (!holder) {
    const way = claim ? ` If none is, delete ${join(path, claim)}.` : "";
    fail(path, `another process is starting to use it. Try again in a moment.${way}`);
  }
  const { pid, host, started } = holder;
  if (host !== hostname())
    fail(
      path,
      `it is in use by process ${pid} on ${host}. If that process has ended, delete ${join(path, lockName)} and try again.`,
    );
  if (pid === process.pid) fail(path, "the run is already open in this process. Call close() first.");
  fail(
    path,
    `it is in use by process ${pid}, started ${started}. Wait for it, or stop it with \`kill ${pid}\`.`,
  );
}
