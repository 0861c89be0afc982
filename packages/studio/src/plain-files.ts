import { closeSync, constants, promises as fs, fstatSync, readFileSync, type Stats } from "node:fs";
import { basename } from "node:path";
import { ForeignFile, openPlain, type Reader } from "@reins/core/directory";
import { Refusal } from "./refusal.ts";

/** Links are not followed, and a pipe that nobody writes to is not waited for. Windows has neither. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Most bytes of files that are read as a whole, and of those that are opened to be read in parts. */
export interface Limits {
  readonly text: number;
  readonly open: number;
}

/** Reads plain files alone. It looks at what it has opened, and not at a name: somebody may put something else in its place meanwhile. */
export function plainFileReader(most: Limits): Reader {
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

/** Files of a run larger than this are not read as a whole. */
export const large = 16 << 20;

/** Reads what a run keeps beside its episodes: small files, and logs of any size. */
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

/** As that, without waiting; undefined if there is no such file. */
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
  if (stat.size > most) throw new Refusal(422, `${basename(path)} has ${stat.size} bytes, which is too much`);
}

/** What the system says of links, and of sockets. */
const worded = (path: string, error: NodeJS.ErrnoException): Error =>
  ["ELOOP", "EMLINK", "ENXIO"].includes(error.code ?? "") ? strange(path) : error;

const strange = (path: string) =>
  new Refusal(422, `${basename(path)} is not what it should be: a link, or no file`);
