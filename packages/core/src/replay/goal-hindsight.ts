import type { EnvSpec } from "../env.ts";
import { fail } from "../errors.ts";
import { goalReached, goalRewardFor, goalSize } from "../goals.ts";
import { type HindsightOptions, hindsight } from "./hindsight.ts";
import type { EntryFormat } from "./record.ts";

/** Settings of {@link goalHindsight}. */
export type GoalHindsightOptions = Omit<HindsightOptions, "reward" | "ends" | "maxSteps">;

/** {@link hindsight} for an environment that declares its goals: relabelled goals use the environment's own reward function. */
export function goalHindsight(name: string, spec: EnvSpec, options: GoalHindsightOptions = {}): EntryFormat {
  const { goals, id, maxSteps } = spec;
  if (!goals)
    return fail(
      name,
      `hindsight relabels goals, but ${id} has none (spec.goals). Leave it out, or train on an environment with goals, such as GoalReach-v0.`,
    );
  const size = goalSize(spec.observation);
  if (size === undefined)
    return fail(
      name,
      `hindsight needs observations that are a dict of observation, achieved and desired, the last two of the same shape; those of ${id} are not. Remove wrappers that change them.`,
    );
  const reward = goalRewardFor(goals, size);
  return hindsight({
    ...options,
    reward,
    ...(goals.ends ? { ends: (achieved, desired) => goalReached(goals, reward(achieved, desired)) } : {}),
    ...(maxSteps === undefined ? {} : { maxSteps }),
  });
}
