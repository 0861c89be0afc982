import * as fs from "node:fs";
import { dirname } from "node:path";
import { ReinsError } from "../errors.ts";

/** What the directory does to a disk. Tests pass one that fails or stops half-way. */
export type Files = Pick<
  typeof fs,
  | "openSync"
  | "writeSync"
  | "fsyncSync"
  | "closeSync"
  | "ftruncateSync"
  | "renameSync"
  | "mkdirSync"
  | "rmSync"
  | "unlinkSync"
>;

/** The real disk. */
export const disk: Files = fs;

/** Writes all of `bytes`: one call of the system may write a part only, and never more than 2 GiB. */
export function writeAll(files: Files, fd: number, bytes: Uint8Array, end = bytes.length): void {
  for (let done = 0; done < end; ) {
    const n = files.writeSync(fd, bytes, done, Math.min(end - done, 2 ** 30));
    if (n === 0) throw Object.assign(new Error("nothing was written"), { code: "EIO" });
    done += n;
  }
}

/** Makes a folder's entries durable, where the system can: a rename may otherwise be undone by a power cut. */
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
    // Windows and some network disks cannot sync folders; a failing disk is another matter.
    if ((error as NodeJS.ErrnoException).code === "EIO") throw error;
  } finally {
    files.closeSync(fd);
  }
}

/** Makes a folder and those above it. Node's own way never ends where the system denies that a folder can be made (`/proc/x`). */
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

/** Writes a new file and waits until it is on the disk. */
export function writeDurably(files: Files, path: string, bytes: Uint8Array): void {
  const fd = files.openSync(path, "w");
  try {
    writeAll(files, fd, bytes);
    files.fsyncSync(fd);
  } finally {
    files.closeSync(fd);
  }
}

/** Replaces a file as a whole: readers see the old text or the new one, whatever happens in between. */
export function replaceFile(files: Files, path: string, text: string): void {
  const draft = `${path}.${process.pid}.part`;
  try {
    writeDurably(files, draft, Buffer.from(text));
    files.renameSync(draft, path);
  } catch (error) {
    remove(files, draft);
    throw error;
  }
  syncFolder(files, dirname(path));
}

/** Does something that reads a file; that it cannot be read is said with its name. */
export function reading<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const reason = reasonOf(error);
    if (!reason) throw error;
    const { what, remedy } = reason;
    throw new ReinsError(
      `${path}: it cannot be read: ${what.replace("writing", "reading")}. ${remedy}, then try again.`,
      {
        cause: error,
      },
    );
  }
}

/** Removes what is there, if that is possible: for tidying up after a failure that matters more. */
export function remove(files: Files, path: string): void {
  try {
    files.rmSync(path, { recursive: true, force: true });
  } catch {}
}

const reasons: Record<string, readonly [what: string, remedy: string]> = {
  ENOSPC: ["no space is left on the disk", "Free some space"],
  EDQUOT: ["your disk quota is used up", "Free some space"],
  EIO: ["the disk reported an error", "Check the disk"],
  EACCES: ["writing is not permitted", "Make the directory writable"],
  EPERM: ["writing is not permitted", "Make the directory writable"],
  EROFS: ["the disk is read-only", "Make it writable, or choose another directory"],
  EMFILE: ["too many files are open", "Raise the limit (ulimit -n)"],
  ENOENT: ["a file or folder vanished while the run was using it", "Put it back"],
  ENOTDIR: ["there is a file where a folder should be", "Move it away, or choose another directory"],
  EEXIST: ["there is a file where a folder should be", "Move it away, or choose another directory"],
  EISDIR: ["there is a folder where a file should be", "Move it away"],
  ENAMETOOLONG: ["the name is too long", "Choose a shorter one"],
};

/** What a failure of the system means, and what helps against it. */
export function reasonOf(error: unknown): { what: string; remedy: string } | undefined {
  const { code, message, path } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === undefined || !/^E[A-Z0-9]+$/.test(code)) return undefined;
  const [what, remedy] = reasons[code] ?? [message, "Put that right"];
  // Which of many files is in the way must be said.
  const where = path !== undefined && ["EISDIR", "ENOTDIR", "EEXIST"].includes(code) ? `, ${path}` : "";
  return { what: `${what} (${code}${where})`, remedy };
}

/** What is left of a run whose disk failed. */
export interface Remains {
  /** Steps of the latest checkpoint that was found whole after the failure. */
  readonly intact: number | undefined;
  /** Whether there ever was a checkpoint. */
  readonly any: boolean;
}

/** Does something to the disk; a failure becomes an error that says what is left (it looks, and does not guess) and how to go on. */
export function guarded<T>(path: string, doing: string, action: () => T, remains?: () => Remains): T {
  try {
    return action();
  } catch (error) {
    const reason = reasonOf(error);
    if (error instanceof ReinsError || !reason) throw error;
    const [what, way] =
      remains && !fs.existsSync(path)
        ? [
            "the directory was deleted or moved away while the run was using it",
            "Nothing of the run is left there: put it back from where it went, or train anew.",
          ]
        : remains
          ? [reason.what, wayOut(path, reason.remedy, remains())]
          : [reason.what.replace(reasons.ENOENT[0], "no folder can be made there"), begin(reason.remedy)];
    throw new ReinsError(`${path}: ${doing} failed: ${what}. ${way}`, { cause: error });
  }
}

const begin = (remedy: string) =>
  remedy === reasons.ENOENT[1] ? "Choose another place." : `${remedy}, then begin again.`;

function wayOut(path: string, remedy: string, { intact, any }: Remains): string {
  if (intact !== undefined)
    return `The checkpoint at step ${intact} is intact. ${remedy}, then go on with \`reins resume ${path}\`.`;
  return any
    ? `No checkpoint can be read any more. ${remedy}, and put a copy of its checkpoints back if they are gone.`
    : `There is no checkpoint yet. ${remedy}, then begin again.`;
}
