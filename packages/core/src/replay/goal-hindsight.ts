import type { EnvSpec } from "../env.ts";
import { fail } from "../errors.ts";
import { goalReached, goalRewardFor, goalSize } from "../goals.ts";
import { type HindsightOptions, hindsight } from "./hindsight.ts";
import type { Record } from "./record.ts";

/** Settings of {@link goalHindsight}. */
export type GoalHindsightOptions = Omit<HindsightOptions, "reward" | "ends" | "maxSteps">;

/** {@link hindsight} in an environment that says what its goals are worth: other goals pay by the function that the environment pays by. */
export function goalHindsight(name: string, spec: EnvSpec, options: GoalHindsightOptions = {}): Record {
  const { goals, id, maxSteps } = spec;
  if (!goals)
    return fail(
      name,
      `hindsight gives steps other goals, and ${id} has none. Leave it out, or train where there are goals, such as GoalReach-v0: an environment says so in spec.goals.`,
    );
  const size = goalSize(spec.observation);
  if (size === undefined)
    return fail(
      name,
      `hindsight reads observations that are a dict of observation, achieved and desired, the last two alike; those of ${id} are not. Leave out wrappers that change them.`,
    );
  const reward = goalRewardFor(goals, size);
  return hindsight({
    ...options,
    reward,
    ...(goals.ends ? { ends: (achieved, desired) => goalReached(goals, reward(achieved, desired)) } : {}),
    ...(maxSteps === undefined ? {} : { maxSteps }),
  });
}
