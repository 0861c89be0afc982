import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../errors.ts";
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
    if (!overwrite)
      fail(
        path,
        "the directory already holds a run. Resume it, choose another directory, or pass --overwrite (overwrite: true in a program), which deletes it.",
      );
  } else if (present.some((name) => !isOurs(name)))
    fail(path, "the directory is not empty and holds no run. Choose another.");
}

/** Deletes a run from its folder; other files of the user stay. */
export function clearFolder(files: Files, path: string): void {
  for (const name of readdirSync(path))
    if (isOurs(name) && !name.startsWith("lock"))
      files.rmSync(join(path, name), { recursive: true, force: true });
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
