import { type Assignment, fail } from "@reins/core";
import type { TextStageOptions } from "../stage-options.ts";
import { draw } from "../tasks/draw.ts";
import type { Problem } from "../tasks/family.ts";

/** The problem that a task means: its seed chooses one, its context may choose the level, and lead it. */
export function problemOf({ family, level, split = "train" }: TextStageOptions, play: Assignment): Problem {
  const { level: own, lead } = play.context ?? {};
  const problem = draw(family, typeof own === "number" ? own : level, split, play.seed ?? 0);
  if (typeof lead !== "string") return problem;
  return family.led
    ? family.led(problem, lead)
    : fail(`task ${family.id}`, `a play is to be led ("${lead}"), and the family has no led.`);
}
