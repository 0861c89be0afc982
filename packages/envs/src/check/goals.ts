import { goalReached, goalRewardFor, goalSize } from "@reins/core";
import type { Findings } from "./finding.ts";
import type { Subject } from "./subject.ts";
import type { Trace } from "./trace.ts";

/** What is observed where there are goals. */
type Seen = { readonly achieved: ArrayLike<number>; readonly desired: ArrayLike<number> };

/** Where an environment says what its goals pay, each step must pay that: relabelling counts on it. */
export function checkGoals({ spec }: Subject, { steps }: Trace, findings: Findings): void {
  const { goals } = spec;
  if (!goals) return;
  const size = goalSize(spec.observation);
  if (size === undefined)
    return findings.add({
      rule: "goals",
      severity: "error",
      expected: "a dict of observation, achieved and desired, the last two alike, where spec.goals is given",
      got: `an observation that is a ${spec.observation.kind}`,
      advice: "Observe the three parts, or leave out spec.goals.",
    });
  const reward = goalRewardFor(goals, size);
  for (const frame of steps.flat()) {
    const { achieved, desired } = frame.observation as Seen;
    const [paid, expected] = [frame.reward as number, reward(achieved, desired)];
    // Worlds that compute in doubles may differ from singles in the last place.
    if (Math.abs(paid - expected) > 1e-5 * (1 + Math.abs(expected)))
      return findings.add({
        rule: "goals",
        severity: "error",
        expected: `a reward of ${expected}, which spec.goals says for what was achieved`,
        got: `${paid}`,
        advice: "Let goalReward() or goalRewardFor() of @reins/core compute the reward from the same goals.",
      });
    if (goals.ends && goalReached(goals, paid) && !frame.terminated)
      return findings.add({
        rule: "goals",
        severity: "error",
        expected: "episodes that end where the goal is reached, as spec.goals says",
        got: "one that went on",
        advice: "Set terminated there, or say ends: false.",
      });
  }
}
