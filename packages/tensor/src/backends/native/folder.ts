import { randomBytes } from "node:crypto";
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

const chosen = new Map<string, string>();

/**
 * REINS_CACHE, or the user's cache directory; a temporary one, removed when the process ends, if that is not writable or if
 * others could write to it and so make us run their code.
 */
export function cacheDirectory(): string {
  const requested =
    process.env.REINS_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "reins");
  let directory = chosen.get(requested);
  if (!directory) {
    directory = usable(requested) ?? ownDirectory();
    chosen.set(requested, directory);
  }
  return directory;
}

/** The directory itself, not a link: a link might point elsewhere later. */
function usable(requested: string): string | undefined {
  try {
    mkdirSync(requested, { recursive: true, mode: 0o700 });
    const directory = realpathSync(requested);
    const { uid, mode } = statSync(directory);
    if (process.getuid && uid !== process.getuid()) return undefined;
    if (mode & 0o022) return undefined;
    accessSync(directory, constants.W_OK | constants.X_OK);
    return directory;
  } catch {
    return undefined;
  }
}

const fallback = "reins-cache.";

function ownDirectory(): string {
  removeLeft(tmpdir(), fallback);
  const directory = mkdtempSync(join(tmpdir(), `${fallback}${process.pid}.`));
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

const building = "building.";

/** A new folder inside `directory`; the caller removes it. */
export function temporaryFolder(directory: string): string {
  const path = join(directory, `${building}${process.pid}.${randomBytes(6).toString("hex")}`);
  mkdirSync(path, { mode: 0o700 });
  return path;
}

/** Calls `use` with the path of a new folder inside `directory`, which is removed afterwards. */
export function inTemporary<T>(directory: string, use: (path: string) => T): T {
  const path = temporaryFolder(directory);
  try {
    return use(path);
  } finally {
    discard(path);
  }
}

/** Removes whatever has a name of the cache, even a folder. If that fails, it is a miss and the build reports the reason. */
export function discard(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {}
}

const day = 86_400_000;

/** Removes what killed processes left: a day old, and no process has that number any more. */
export function removeLeft(directory: string, prefix = building): void {
  for (const name of readdirSync(directory)) {
    if (!name.startsWith(prefix)) continue;
    const path = join(directory, name);
    try {
      const { mtimeMs, uid } = statSync(path);
      if (process.getuid && uid !== process.getuid()) continue;
      if (Date.now() - mtimeMs < day || alive(Number(name.split(".")[1]))) continue;
      rmSync(path, { recursive: true, force: true });
    } catch {
      // Another process was faster.
    }
  }
}

function alive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
