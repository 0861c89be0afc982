import * as fs from "node:fs";
import { dirname, join } from "node:path";

/** File operations of a run directory, like `node:fs`. Tests pass one that fails or stops half-way. */
export interface Files {
  openSync(path: string, flags: string | number): number;
  writeSync(fd: number, bytes: Uint8Array, offset: number, length: number): number;
  fsyncSync(fd: number): void;
  closeSync(fd: number): void;
  ftruncateSync(fd: number, length: number): void;
  renameSync(from: string, to: string): void;
  mkdirSync(path: string, options?: { recursive: boolean }): unknown;
  rmSync(path: string, options?: { recursive?: boolean; force?: boolean }): void;
  unlinkSync(path: string): void;
}

/** The real disk. */
export const disk: Files = fs;

/** Writes all of `bytes`: one system call may write only a part, and at most 2 GiB. */
export function writeAll(files: Files, fd: number, bytes: Uint8Array, end = bytes.length): void {
  for (let done = 0; done < end; ) {
    const n = files.writeSync(fd, bytes, done, Math.min(end - done, 2 ** 30));
    if (n === 0) throw Object.assign(new Error("nothing was written"), { code: "EIO" });
    done += n;
  }
}

/** Syncs a folder's entries, if the system supports it: a power cut may otherwise undo a rename. */
export function syncFolder(files: Files, path: string): void {
  let fd: number;
  try {
    fd = files.openSync(path, "r");
  } catch {
    return;
  }
  try {
    files.fsyncSync(fd);
  } catch (error) {
    // Windows and some network disks cannot sync folders; errors of a failing disk are reported.
    if ((error as NodeJS.ErrnoException).code === "EIO") throw error;
  } finally {
    files.closeSync(fd);
  }
}

/** Creates a folder and its parents. Node's own function never returns if the system refuses a folder (`/proc/x`). */
export function makeFolder(files: Files, path: string): void {
  try {
    files.mkdirSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && fs.statSync(path).isDirectory()) return;
    const above = dirname(path);
    if (code !== "ENOENT" || fs.existsSync(above)) throw error;
    makeFolder(files, above);
    files.mkdirSync(path);
  }
}

/** Opens a new file in place of an existing one: a symbolic link is removed, not followed. */
export function openNew(files: Files, path: string): number {
  files.rmSync(path, { force: true });
  return files.openSync(path, "wx");
}

/** Writes a new file and syncs it to the disk. */
export function writeDurably(files: Files, path: string, bytes: Uint8Array): void {
  const fd = openNew(files, path);
  try {
    writeAll(files, fd, bytes);
    files.fsyncSync(fd);
  } finally {
    files.closeSync(fd);
  }
}

/** Replaces a file atomically: readers see the old content or the new one. */
export function replaceFile(files: Files, path: string, content: string | Uint8Array): void {
  const draft = `${path}.${process.pid}.part`;
  try {
    writeDurably(files, draft, typeof content === "string" ? Buffer.from(content) : content);
    files.renameSync(draft, path);
  } catch (error) {
    remove(files, draft);
    throw error;
  }
  syncFolder(files, dirname(path));
}

/** Removes a file if possible: for cleaning up after a failure that matters more. */
export function remove(files: Files, path: string): void {
  try {
    files.rmSync(path, { recursive: true, force: true });
  } catch {}
}

/** Removes temporary files of {@link replaceFile} that dead processes left in a folder. Requires the lock. */
export function removeDrafts(files: Files, folder: string): void {
  let names: string[] = [];
  try {
    names = fs.readdirSync(folder);
  } catch {}
  for (const name of names)
    if (/\.(json|written|agent)\.\d+\.part$/.test(name)) remove(files, join(folder, name));
}
