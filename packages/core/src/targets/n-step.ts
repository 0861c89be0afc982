import { add, mul, scan, sub, type Tensor, where } from "@reins/tensor";
import { type SettingValue, settingAt } from "../signals/live.ts";
import type { Fragment, Target } from "../target.ts";
import { following } from "./backwards.ts";
import { agentSteps } from "./waiting.ts";

/**
 * Settings of {@link nStepReturns}.
 *
 * @experimental
 */
export interface NStepOptions {
  gamma: SettingValue;
  /** Rewards before bootstrapping from the critic: more has less bias and more variance (1 to 20). */
  n: number;
}

/**
 * n-step returns: the next n rewards plus the critic's estimate; fewer rewards if the episode or the fragment ends first. Columns
 * `return` and `advantage`.
 *
 * @experimental
 */
export function nStepReturns({ gamma, n }: NStepOptions): Target<Fragment, "advantage" | "return"> {
  return (s) => {
    const g = settingAt(gamma, s);
    const { reward, next, later } = agentSteps(s, g);
    const after = (result: Tensor) => add(reward, mul(later(result), g));
    // The (k + 1)-step return is a reward plus the next step's k-step return.
    const { carry } = scan(
      (k: Tensor) => [after(where(s.done, next, following(k, s.nextValue))), undefined] as const,
      after(next),
      undefined,
      { length: n - 1 },
    );
    return { return: carry, advantage: sub(carry, s.value) };
  };
}
