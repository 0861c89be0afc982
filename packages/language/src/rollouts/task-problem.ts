import { fail, type TaskItem } from "@reins/core";
import { sampleProblem } from "../tasks/sample-problem.ts";
import type { Problem } from "../tasks/text-task.ts";
import type { TextStageOptions } from "./stage-options.ts";

/** The problem of a task: its seed selects one, its context may set the level and a lead. */
export function problemOf({ family, level, split = "train" }: TextStageOptions, play: TaskItem): Problem {
  const { level: own, lead } = play.context ?? {};
  const problem = sampleProblem(family, typeof own === "number" ? own : level, split, play.seed ?? 0);
  if (typeof lead !== "string") return problem;
  return family.led
    ? family.led(problem, lead)
    : fail(
        `task ${family.id}`,
        `the context has a lead ("${lead}"), but the family has no led(). Add one or remove the lead.`,
      );
}
