import { goalReached, goalRewardFor, goalSize } from "@reins/core/forms";
import type { Findings } from "./finding.ts";
import type { Subject } from "./subject.ts";
import type { Trace } from "./trace.ts";

/** Observations of a goal environment. */
type Seen = { readonly achieved: ArrayLike<number>; readonly desired: ArrayLike<number> };

/** Rewards must equal those of spec.goals: hindsight relabelling relies on it. */
export function checkGoals({ spec }: Subject, { steps }: Trace, findings: Findings): void {
  const { goals } = spec;
  if (!goals) return;
  const size = goalSize(spec.observation);
  if (size === undefined)
    return findings.add({
      rule: "goals",
      severity: "error",
      expected: "a dict of observation, achieved and desired, the last two of equal shape, with spec.goals",
      got: `an observation that is a ${spec.observation.kind}`,
      advice: "Return these three parts, or leave out spec.goals.",
    });
  const reward = goalRewardFor(goals, size);
  for (const frame of steps.flat()) {
    const { achieved, desired } = frame.observation as Seen;
    const [paid, expected] = [frame.reward as number, reward(achieved, desired)];
    // Environments that compute in double precision may differ from single precision in the last place.
    if (Math.abs(paid - expected) > 1e-5 * (1 + Math.abs(expected)))
      return findings.add({
        rule: "goals",
        severity: "error",
        expected: `a reward of ${expected}, as computed by spec.goals`,
        got: `${paid}`,
        advice:
          "Compute the reward from the same goals with goalReward() or goalRewardFor() of reins/core/forms.",
      });
    if (goals.ends && goalReached(goals, paid) && !frame.terminated)
      return findings.add({
        rule: "goals",
        severity: "error",
        expected: "episodes that end at the goal, as in spec.goals",
        got: "an episode that continued",
        advice: "Set terminated there, or declare ends: false.",
      });
  }
}
