import { type Episode, lastOwnStep, stepsOf } from "../episode.ts";
import { fail } from "../errors.ts";
import { totalOf, type Verdict } from "../judge.ts";

/** A verdict's rewards on the steps of its episode: where the judge placed them, or all of it at the policy's last step. */
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
      `a judge placed ${verdict.steps.length} rewards on an episode of ${count} steps. Give each step one.`,
    );
  return Float32Array.from(verdict.steps);
}

/** A verdict with another reward. Where rewards are placed on steps, what is added or taken is at the policy's last one. */
export function paying(verdict: Verdict, reward: number, episode: Episode): Verdict {
  if (!verdict.steps) return { ...verdict, reward };
  const steps = placed(verdict, episode);
  steps[lastOwnStep(episode)] += reward - totalOf(verdict);
  return { ...verdict, reward, steps };
}
