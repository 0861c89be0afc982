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
  ENOENT: ["there is no such file or folder", "Restore it"],
  ENOTDIR: ["there is a file where a folder should be", "Move it away, or choose another directory"],
  EEXIST: ["there is a file where a folder should be", "Move it away, or choose another directory"],
  EISDIR: ["there is a folder where a file should be", "Move it away"],
  ENAMETOOLONG: ["the name is too long", "Choose a shorter one"],
};

/** What a failure of the system means, and what helps against it; undefined for any other error. */
export function reasonOf(error: unknown): { what: string; remedy: string } | undefined {
  const { code: given, message, path } = (error ?? {}) as NodeJS.ErrnoException;
  // Node has names of its own for what it notices before the system does (`ERR_FS_EISDIR`).
  const code = given?.replace(/^ERR_FS_/, "");
  if (code === undefined || !/^E[A-Z0-9]+$/.test(code)) return undefined;
  const [what, remedy] = reasons[code] ?? [message, "Fix the cause"];
  // Which of many files is in the way must be said.
  const where = path !== undefined && /^(EISDIR|ENOTDIR|EEXIST|ENOENT)$/.test(code) ? `, ${path}` : "";
  return { what: `${what} (${code}${where})`, remedy };
}

/** Does something that reads a file; that it cannot be read is said with its name. */
export function reading<T>(path: string, action: () => T): T {
  return worded(
    action,
    ({ what, remedy }) => `${path}: it cannot be read: ${what}. ${remedy}, then try again.`,
  );
}

/** As {@link reading}, for a file that is written. */
export function writingTo<T>(path: string, action: () => T): T {
  return worded(
    action,
    ({ what, remedy }) => `${path}: it cannot be written: ${what}. ${remedy}, then resume the run.`,
  );
}

/** Does something that makes a directory for a run. */
export function making<T>(path: string, action: () => T): T {
  return worded(
    action,
    ({ what, remedy }) => `${path}: creating the directory failed: ${what}. ${remedy}, then start again.`,
  );
}

/** What is left of a run whose disk failed. */
export interface Remains {
  /** Steps of the latest checkpoint that was found whole after the failure. */
  readonly intact: number | undefined;
  /** Whether there ever was a checkpoint. */
  readonly any: boolean;
}

/** Does something to the directory of a run; a failure says what is left, which it looks at and does not guess, and how to go on. */
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
    : `There is no checkpoint yet. ${remedy}, then start again.`;
}

/** Failures of the system in words; other errors pass. */
function worded<T>(action: () => T, words: (reason: { what: string; remedy: string }) => string): T {
  try {
    return action();
  } catch (error) {
    const reason = error instanceof ReinsError ? undefined : reasonOf(error);
    if (!reason) throw error;
    throw new ReinsError(words(reason), { cause: error });
  }
}
