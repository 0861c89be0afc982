import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../errors.ts";
import { holdsRun } from "./config.ts";
import { type Files, makeFolder } from "./files.ts";

/** Creates a new folder under `root` and returns its path: `runs/ppo-CartPole-v1-1`, `-2`, … */
export function claimName(files: Files, root: string, algorithm: string, label: string): string {
  const stem = `${algorithm}-${label}`.replace(/[^\w.-]+/g, "-");
  makeFolder(files, root);
  const taken = readdirSync(root).map((n) =>
    n.startsWith(`${stem}-`) ? Number(n.slice(stem.length + 1)) || 0 : 0,
  );
  for (let n = Math.max(0, ...taken) + 1; ; n++) {
    const path = join(root, `${stem}-${n}`);
    try {
      // Not recursive: only one of several processes gets the name.
      files.mkdirSync(path);
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

/** Refuses a folder in which a new run must not be created. */
export function checkFolder(path: string, overwrite: boolean): void {
  const present = existsSync(path) ? readdirSync(path) : [];
  if (present.includes("config.json")) {
    if (!holdsRun(path))
      fail(path, "the directory has a config.json that does not describe a run. Choose another.");
    if (!overwrite)
      fail(
        path,
        "the directory already holds a run. Resume it, choose another directory, or pass --overwrite (overwrite: true in a program), which deletes it.",
      );
  } else if (present.some((name) => !isOurs(name)))
    fail(path, "the directory is not empty and holds no run. Choose another.");
  else {
    const part = present.find((name) => isRemnant(path, name));
    if (part !== undefined)
      fail(
        path,
        `the directory has ${part}, but no config.json. Restore that file from a copy, remove the other files of the run, or choose another directory.`,
      );
  }
}

/** Deletes a run from its folder; other files of the user stay. The configuration is last: until then the folder holds a run. */
export function clearFolder(files: Files, path: string): void {
  const last = (name: string) => (name === "config.json" ? 1 : 0);
  for (const name of readdirSync(path).sort((a, b) => last(a) - last(b)))
    if (isOurs(name) && !name.startsWith("lock"))
      files.rmSync(join(path, name), { recursive: true, force: true });
}

/** Whether a file is more than a process leaves that ends while it creates a run. */
function isRemnant(path: string, name: string): boolean {
  if (/^lock|\.part$|^control\.sock$/.test(name)) return false;
  const stat = statSync(join(path, name), { throwIfNoEntry: false });
  return stat?.isDirectory() ? readdirSync(join(path, name)).length > 0 : stat !== undefined;
}

/** Whether a name has the form of a generated one. */
function isOurs(name: string): boolean {
  return (
    /^(metrics|times)\.jsonl$|^(config|summary)\.json(\.\d+\.part)?$|^lock(\..+)?$|^control\.sock$/.test(
      name,
    ) ||
    /^(last|best)\.agent(\.\d+\.part)?$/.test(name) ||
    /^(checkpoints|episodes|checkpoints\.written(\.\d+\.part)?)$|^events\.out\.tfevents\./.test(name)
  );
}
