import { existsSync } from "node:fs";
import { join } from "node:path";
import { didYouMean } from "@reins/core";
import { checkRunFolder, holdsRun, listRuns } from "@reins/core/directory";
import { misuse } from "./usage.ts";

/** Where runs are kept unless something else is said. */
export const root = "runs";

/** Where a new run of a name is kept: in `runs/`, and nowhere else. */
export function namedRun(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\\/:\u0000-\u001f\u007f]/.test(name) || /^(\.{1,2}|-.*|\s*)$/.test(name))
    misuse(
      `--name ${JSON.stringify(name)} is no name for a folder in ${root}/: leave out / \\ : and control characters, and begin with a letter or a digit. For another place give --directory PATH.`,
    );
  return join(root, name);
}

/** What is left of a run that lost its configuration. */
const remains = ["metrics.jsonl", "checkpoints", "checkpoints.written", "summary.json"];

/** What an agent is read from that was named: a file, the folder of a run, or its name under `runs/`. */
export const agentNamed = (name: string): string =>
  !existsSync(name) && holdsRun(join(root, name)) ? join(root, name) : name;

/** The directory of a run that was named: by its path, by its name under `runs/`, or (if nothing was) the newest. */
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
        misuse(`${path} holds no run: its config.json is something else's, such as a model's.`);
      if (remains.some((part) => existsSync(join(path, part))))
        misuse(`${path} has no config.json, so nobody can say what the run was. Put back a copy of it.`);
    }
  }
  const all = listRuns(folder, () => {});
  if (name !== undefined)
    misuse(
      `there is no run ${name}.${didYouMean(
        name,
        all.map((r) => r.name),
      )} Type reins runs for all of them.`,
    );
  return (
    all.at(-1)?.path ?? misuse(`there are no runs in ${folder}/ yet. Begin one: reins train ppo CartPole-v1.`)
  );
}
