import { basename, parse, resolve } from "node:path";
import type { Run } from "@reins/core";
import { RunDirectory } from "@reins/core/directory";
import { noteTarget } from "../places/trust.ts";
import type { Assembly } from "./assembly.ts";
import { commitAround } from "./commit.ts";
import { RunWriter } from "./run-writer.ts";
import { targetsIn } from "./targets.ts";

/** Where to write a run: a path, or the next free folder under a root. */
export type KeptAt = { readonly path: string; readonly overwrite?: boolean } | { readonly root: string };

/** Creates the directory of a new run. `command` is the command line that started it. */
export function openRunWriter(
  run: Run,
  { place, config }: Assembly,
  where: KeptAt,
  command?: string,
): RunWriter {
  // Absolute, so that the run can be resumed from any folder.
  const targets = targetsIn(config, resolve);
  const commit = commitAround();
  const began = {
    ...(command === undefined ? {} : { command }),
    ...(commit === undefined ? {} : { commit }),
  };
  const stored = { ...config, ...targets, ...began };
  const claimed = (path: string) => {
    for (const folder of Object.values(targets)) noteTarget(path, folder);
  };
  const directory =
    "path" in where
      ? RunDirectory.create(where.path, stored, { overwrite: where.overwrite, claimed })
      : RunDirectory.next(stored, { ...where, claimed, label: labelOf(config) });
  return new RunWriter(run, place, directory);
}

/** The label of a run's directory: the name of its task file, or the environment's id. */
function labelOf({ env, module }: Assembly["config"]): string {
  if (typeof module !== "string") return env;
  const { name, dir } = parse(module);
  return name === "index" ? basename(dir) : name;
}
