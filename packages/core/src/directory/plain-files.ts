import * as fs from "node:fs";
import { join } from "node:path";
import { ReinsError } from "../errors.ts";
import type { Files } from "./files.ts";

/**
 * A run may come from anyone, so no path of it is followed out of its folder: files are opened without following symbolic links, and
 * anything but a regular file is refused. The run's folder itself may be a link.
 */
const { O_RDONLY, O_WRONLY, O_RDWR, O_APPEND, O_CREAT } = fs.constants;
/** Windows has neither flag; links are checked before opening there. A FIFO without a writer must not block. */
const { O_NOFOLLOW, O_NONBLOCK } = fs.constants as { O_NOFOLLOW?: number; O_NONBLOCK?: number };
const always = (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);

/** Flags of {@link openPlain}. */
export const access = { read: O_RDONLY, change: O_RDWR, append: O_WRONLY | O_APPEND | O_CREAT } as const;

/** Thrown if a path of a run is a symbolic link, a device, a pipe or a socket. */
export class ForeignFile extends ReinsError {}

/** Opens a regular file without following a symbolic link. A file to be written must have no other hard link. */
export function openPlain(
  path: string,
  flags: number = access.read,
  { openSync, closeSync }: Pick<Files, "openSync" | "closeSync"> = fs,
): number {
  if (O_NOFOLLOW === undefined) refuseForeign(path, fs.lstatSync(path, { throwIfNoEntry: false }));
  let fd: number;
  try {
    fd = openSync(path, flags | always);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ELOOP", "EMLINK", "ENXIO"].includes(code))
      refuseForeign(path, fs.lstatSync(path, { throwIfNoEntry: false }));
    throw error;
  }
  try {
    const stat = fs.fstatSync(fd);
    refuseForeign(path, stat);
    if (flags !== access.read) refuseShared(path, stat);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** The bytes of a regular file. */
export function readPlain(path: string): Uint8Array<ArrayBuffer> {
  const fd = openPlain(path);
  try {
    return fs.readFileSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** Names in a folder that is not a symbolic link. */
export function listPlain(folder: string): string[] {
  refuseForeign(folder, fs.lstatSync(folder));
  return fs.readdirSync(folder);
}

/** Names in a run directory that Reins reads or writes. Anything else there belongs to the user and is never opened. */
const ours =
  /^(config|summary|studio)\.json|^(metrics|times|samples|transcripts)\.jsonl|^lock|^(last|best)\.agent|^(checkpoints|episodes)|^events\.out\.tfevents\.|^control\.sock$/;
/** Files that are appended to or truncated, and not replaced. */
const appended = /\.jsonl$|^events\.out\.tfevents\./;

/** Refuses a run directory that contains links, pipes or devices and, before writing, files with a second hard link. */
export function checkRunFolder(path: string, { writing = false } = {}): void {
  for (const entry of entriesOf(path)) {
    if (!ours.test(entry.name) || (entry.name === "control.sock" && entry.isSocket())) continue;
    const below = join(path, entry.name);
    refuseForeign(below, entry);
    if (entry.isDirectory()) checkFolder(below);
    else if (writing && appended.test(entry.name)) {
      const stat = fs.lstatSync(below, { throwIfNoEntry: false });
      if (stat) refuseShared(below, stat);
    }
  }
}

function checkFolder(path: string): void {
  for (const entry of entriesOf(path)) {
    const below = join(path, entry.name);
    refuseForeign(below, entry);
    if (entry.isDirectory()) checkFolder(below);
  }
}

/** A folder that is missing, or disappears meanwhile, has no entries. */
function entriesOf(path: string): fs.Dirent[] {
  try {
    return fs.readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}

type Kind = Pick<fs.Stats, "isFile" | "isDirectory" | "isSymbolicLink">;

function refuseForeign(path: string, kind: Kind | undefined): void {
  if (!kind || kind.isFile() || kind.isDirectory()) return;
  throw new ForeignFile(
    kind.isSymbolicLink()
      ? `${path}: it is a symbolic link, which Reins does not follow inside a run. Put the file or folder itself there; to keep a run on another disk, link its whole folder.`
      : `${path}: it is not a regular file. Remove it, or put back a copy of the file.`,
  );
}

function refuseShared(path: string, { nlink }: fs.Stats): void {
  if (nlink <= 1) return;
  throw new ForeignFile(
    `${path}: it has ${nlink} hard links, so that writing to it would change another file. Replace it with a separate copy.`,
  );
}
