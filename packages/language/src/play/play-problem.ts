import type { Assignment as Play } from "@reins/core";
import type { TextStageOptions } from "../stage-options.ts";
import { draw } from "../tasks/draw.ts";
import type { Problem } from "../tasks/family.ts";

/** The problem that a task means: its seed chooses one, its context may choose the level. */
export function problemOf({ family, level, split = "train" }: TextStageOptions, play: Play): Problem {
  const own = play.context?.level;
  return draw(family, typeof own === "number" ? own : level, split, play.seed ?? 0);
}
