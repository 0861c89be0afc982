import { type Episode, lastOwnStep, stepsOf } from "../episode.ts";
import { fail } from "../errors.ts";
import { totalOf, type Verdict } from "../judge.ts";

/** A verdict's rewards per step: as the judge assigned them, or all at the policy's last step. */
export function placed(verdict: Verdict, episode: Episode): Float32Array {
  const count = stepsOf(episode);
  if (!verdict.steps) {
    const out = new Float32Array(count);
    out[lastOwnStep(episode)] = totalOf(verdict);
    return out;
  }
  if (verdict.steps.length !== count)
    fail(
      "judge",
      `a judge returned ${verdict.steps.length} step rewards for an episode of ${count} steps. Return one per step.`,
    );
  return Float32Array.from(verdict.steps);
}

/** A verdict with another reward. With step rewards, the difference goes to the policy's last step. */
export function paying(verdict: Verdict, reward: number, episode: Episode): Verdict {
  if (!verdict.steps) return { ...verdict, reward };
  const steps = placed(verdict, episode);
  steps[lastOwnStep(episode)] += reward - totalOf(verdict);
  return { ...verdict, reward, steps };
}
