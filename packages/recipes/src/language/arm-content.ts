import { grpo, rejection } from "@reins/algorithms";
import type { OptionTable } from "@reins/core";
import { isMaker } from "../arm-algorithm.ts";
import { type ArmContent, plainContent } from "../content.ts";
import type { Grid } from "../grid.ts";
import type { LanguageArmRunOptions } from "./arm-options.ts";
import { taskContent } from "./task-content.ts";

/** Methods that are identified by name. Variants that differ in options only have the same parts, and all options are included. */
const known = [grpo, rejection];

/** All data that determines a run besides settings, seed, budget and code; undefined if it includes custom functions without an `identity`. */
export function contentOf<T extends OptionTable, G extends Grid>(
  o: LanguageArmRunOptions<T, G>,
): ArmContent | undefined {
  const {
    algorithm,
    options,
    model,
    task,
    levels,
    played = levels,
    score,
    also,
    wholly,
    strict,
    prompts,
    parts,
    change,
    identity,
  } = o;
  const maker = isMaker(algorithm) ? algorithm : undefined;
  const method =
    identity === undefined && !parts && !change
      ? known.find(
          ({ definition: { parts, begin } }) =>
            parts === maker?.definition.parts && begin === maker?.definition.begin,
        )
      : undefined;
  if (!method && identity === undefined) return undefined;
  return plainContent({
    side: "words",
    task: taskContent(task),
    levels,
    played,
    model: { ...model, teacher: model.teacher && taskContent(model.teacher) },
    method: method?.definition.name ?? `custom ${identity}`,
    options: maker ? maker(options).options : { ...options },
    score,
    also,
    wholly,
    strict,
    prompts,
  });
}
