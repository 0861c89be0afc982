import { add, minimum, mul, sub, type Tensor, where, zerosLike } from "@reins/tensor";
import { settingAt } from "../signals/live.ts";
import type { Target } from "../target.ts";
import { backwards, following, rewardOf } from "./backwards.ts";
import type { GaeOptions } from "./gae.ts";

/**
 * Input of {@link retrace}, as [time, rows] columns.
 *
 * @experimental
 */
export type ActionFragment = {
  readonly reward: Tensor;
  /** Q-value of the action. */
  readonly q: Tensor;
  /** Value of the state that each step led to, under the current policy: the mean of its Q-values. */
  readonly nextValue: Tensor;
  /** Importance ratio of the action, current to behaviour policy. */
  readonly ratio: Tensor;
  readonly terminated: Tensor;
  readonly done: Tensor;
};

/**
 * Retrace(λ) (Munos et al., 2016): Q-values of the current policy from off-policy steps. Later errors propagate as long as the
 * current policy would have acted similarly: their weight is cut at 1, so they never explode. Column `return`.
 *
 * @experimental
 */
export function retrace({ gamma, lambda }: GaeOptions): Target<ActionFragment, "return"> {
  return (s) => {
    const g = settingAt(gamma, s);
    const error = sub(add(rewardOf(s), mul(where(s.terminated, 0, s.nextValue), g)), s.q);
    const cut = mul(minimum(s.ratio, 1), settingAt(lambda, s));
    // The weight belongs to the next action; the last step has none.
    const weight = where(s.done, 0, mul(following(cut, zerosLike(cut)), g));
    return { return: add(s.q, backwards(error, weight)) };
  };
}
