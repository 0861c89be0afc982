import { existsSync } from "node:fs";
import { ReinsError } from "../errors.ts";

const reasons: Record<string, readonly [what: string, remedy: string]> = {
  ENOSPC: ["no space is left on the disk", "Free some space"],
  EDQUOT: ["your disk quota is used up", "Free some space"],
  EIO: ["the disk reported an error", "Check the disk"],
  EACCES: ["access is not permitted", "Change the permissions"],
  EPERM: ["access is not permitted", "Change the permissions"],
  EROFS: ["the disk is read-only", "Make it writable"],
  EMFILE: ["too many files are open", "Raise the limit (ulimit -n)"],
  ENOENT: ["the file or folder does not exist", "Restore it"],
  ENOTDIR: ["there is a file where a folder should be", "Move it away, or choose another directory"],
  EEXIST: ["there is a file where a folder should be", "Move it away, or choose another directory"],
  EISDIR: ["there is a folder where a file should be", "Move it away"],
  ENAMETOOLONG: ["the name is too long", "Choose a shorter one"],
};

/** Meaning of a system error, and its remedy; undefined for any other error. */
export function reasonOf(error: unknown): { what: string; remedy: string } | undefined {
  const { code: given, message, path } = (error ?? {}) as NodeJS.ErrnoException;
  // Node has its own codes for errors that it detects before the system does (`ERR_FS_EISDIR`).
  const code = given?.replace(/^ERR_FS_/, "");
  if (code === undefined || !/^E[A-Z0-9]+$/.test(code)) return undefined;
  const [what, remedy] = reasons[code] ?? [message, "Fix the cause"];
  // Names the file among many.
  const where = path !== undefined && /^(EISDIR|ENOTDIR|EEXIST|ENOENT)$/.test(code) ? `, ${path}` : "";
  return { what: `${what} (${code}${where})`, remedy };
}

/** Reads a file; errors name it. */
export function reading<T>(path: string, action: () => T): T {
  return worded(
    action,
    ({ what, remedy }) => `${path}: it cannot be read: ${what}. ${remedy}, then try again.`,
  );
}

/** Like {@link reading}, for writing. */
export function writingTo<T>(path: string, action: () => T): T {
  return worded(
    action,
    ({ what, remedy }) => `${path}: it cannot be written: ${what}. ${remedy}, then resume the run.`,
  );
}

/** Creates a directory for a run; errors name it. */
export function making<T>(path: string, action: () => T): T {
  return worded(
    action,
    ({ what, remedy }) => `${path}: creating the directory failed: ${what}. ${remedy}, then start again.`,
  );
}

/** State of a run after a disk failure. */
export interface Remains {
  /** Steps of the latest checkpoint that is intact after the failure. */
  readonly intact: number | undefined;
  /** Whether a checkpoint was ever written. */
  readonly any: boolean;
}

/** Accesses the directory of a run; an error reports which checkpoint is intact, after checking, and how to continue. */
export function guarded<T>(path: string, doing: string, action: () => T, remains: () => Remains): T {
  return worded(action, ({ what, remedy }) =>
    existsSync(path)
      ? `${path}: ${doing} failed: ${what}. ${wayOut(path, remedy, remains())}`
      : `${path}: ${doing} failed: the directory was deleted or moved away while the run was using it. ` +
        "Nothing of the run is left there. Move it back, or start a new run.",
  );
}

function wayOut(path: string, remedy: string, { intact, any }: Remains): string {
  if (intact !== undefined)
    return `The checkpoint at step ${intact} is intact. ${remedy}, then continue with \`reins resume ${path}\`.`;
  return any
    ? `No checkpoint is readable. ${remedy}, and restore the checkpoints from a copy if they are missing.`
    : `No checkpoint exists yet. ${remedy}, then start again.`;
}

/** Converts system errors to messages; other errors pass. */
function worded<T>(action: () => T, words: (reason: { what: string; remedy: string }) => string): T {
  try {
    return action();
  } catch (error) {
    const reason = error instanceof ReinsError ? undefined : reasonOf(error);
    if (!reason) throw error;
    throw new ReinsError(words(reason), { cause: error });
  }
}
