import { closeSync, constants, promises as fs, fstatSync, readFileSync, type Stats } from "node:fs";
import { basename } from "node:path";
import { ForeignFile, openPlain, type Reader } from "@reins/core/directory";
import { Refusal } from "./refusal.ts";

/** Links are not followed, and opening a pipe does not block. Windows has neither flag. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Size limits in bytes, of files that are read whole and of files that are opened. */
export interface FileLimits {
  readonly text: number;
  readonly open: number;
}

/** A reader of plain files only. It checks the opened file, not the path, which may be replaced in between. */
export function plainFileReader(most: FileLimits): Reader {
  const text = (path: string) => {
    const fd = open(path, most.text);
    try {
      return readFileSync(fd, "utf8");
    } finally {
      closeSync(fd);
    }
  };
  return { text, open: (path) => open(path, most.open) };
}

/** Maximum size of a file of a run that is read whole. */
export const large = 16 << 20;

/** Reads the small files and the logs of a run. */
export const runReader = plainFileReader({ text: large, open: Number.POSITIVE_INFINITY });

function open(path: string, most: number): number {
  let fd: number;
  try {
    fd = openPlain(path);
  } catch (error) {
    throw error instanceof ForeignFile ? strange(path) : error;
  }
  try {
    admit(path, fstatSync(fd), most);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Opens a plain file asynchronously; undefined if it does not exist. */
export async function openPlainFile(
  path: string,
  most = Number.POSITIVE_INFINITY,
): Promise<fs.FileHandle | undefined> {
  let file: fs.FileHandle;
  try {
    file = await fs.open(path, flags);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw worded(path, error as NodeJS.ErrnoException);
  }
  try {
    admit(path, await file.stat(), most);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

function admit(path: string, stat: Stats, most: number): void {
  if (!stat.isFile()) throw strange(path);
  if (stat.size > most)
    throw new Refusal(422, `${basename(path)} has ${stat.size} bytes; at most ${most} can be read`);
}

/** Rewords the errors of opening links and sockets. */
const worded = (path: string, error: NodeJS.ErrnoException): Error =>
  ["ELOOP", "EMLINK", "ENXIO"].includes(error.code ?? "") ? strange(path) : error;

const strange = (path: string) =>
  new Refusal(422, `${basename(path)} must be a plain file, not a link or folder`);
