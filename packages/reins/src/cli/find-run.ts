import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkRunFolder, holdsRun, listRuns } from "@reins/core/directory";
import { didYouMean } from "@reins/core/errors";
import { usageError } from "./usage.ts";

/** Default folder of runs. */
export const root = "runs";

/** The directory of a new run with this name, always inside `runs/`. */
export const namedRun = (name: string): string => inside(root, name, "--directory PATH");

/** The folder with this name in another one, and never elsewhere; `elsewhere` is the flag for other places. */
export function inside(folder: string, name: string, elsewhere: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters
  if (/[\\/:\u0000-\u001f\u007f]/.test(name) || /^(\.{1,2}|-.*|\s*)$/.test(name))
    usageError(
      `--name ${JSON.stringify(name)} is not a valid folder name in ${folder}/. Leave out / \\ : and control characters, and begin with a letter or digit. For a folder elsewhere use ${elsewhere}.`,
    );
  return join(folder, name);
}

/** Files that show that a folder was a run, even without its config.json. */
const remains = ["metrics.jsonl", "checkpoints", "checkpoints.written", "summary.json"];

/** The path of an agent: a file, a run directory, or the name of a run in `runs/`. */
export const agentNamed = (name: string): string =>
  !existsSync(name) && holdsRun(join(root, name)) ? join(root, name) : name;

/** The directory of a run, given its path or its name in `runs/`; the newest run by default. */
export function findRun(name: string | undefined, folder = root): string {
  if (name !== undefined) {
    const places = [name, join(folder, name)];
    const found = places.find((path) => holdsRun(path));
    if (found !== undefined) {
      checkRunFolder(found);
      return found;
    }
    for (const path of places) {
      if (existsSync(join(path, "config.json")))
        usageError(`${path} is not a run directory: its config.json does not describe a run.`);
      if (remains.some((part) => existsSync(join(path, part))))
        usageError(`${path} has no config.json, so the run cannot be read. Restore the file from a copy.`);
    }
  }
  const all = listRuns(folder, () => {});
  if (name !== undefined)
    usageError(
      `unknown run ${name}.${didYouMean(
        name,
        all.map((r) => r.name),
      )} Run reins runs for a list.`,
    );
  return (
    all.at(-1)?.path ??
    usageError(`there are no runs in ${folder}/ yet. Start one: reins train ppo CartPole-v1.`)
  );
}
