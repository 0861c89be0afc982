import { fail, type TaskItem } from "@reins/core";
import { sampleProblem } from "../tasks/sample-problem.ts";
import type { Problem } from "../tasks/text-task.ts";
import type { TextStageOptions } from "./stage-options.ts";

/** The problem of a task: its seed selects one, its context may set the level and a lead. */
export function problemOf({ task, level, split = "train" }: TextStageOptions, item: TaskItem): Problem {
  const { level: own, lead } = item.context ?? {};
  const problem = sampleProblem(task, typeof own === "number" ? own : level, split, item.seed ?? 0);
  if (typeof lead !== "string") return problem;
  return task.led
    ? task.led(problem, lead)
    : fail(
        `task ${task.id}`,
        `the context has a lead ("${lead}"), but the task has no led(). Add one or remove the lead.`,
      );
}
