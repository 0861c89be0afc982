import { add, minimum, mul, sub, type Tensor, where, zerosLike } from "@reins/tensor";
import { over } from "../signals/live.ts";
import type { Target } from "../target.ts";
import { backwards, following, rewardOf } from "./backwards.ts";
import type { GaeOptions } from "./gae.ts";

/** What {@link retrace} needs to know of a stretch, as [time, rows] columns. */
export type ActionStretch = {
  readonly reward: Tensor;
  /** Value of the action that was taken. */
  readonly q: Tensor;
  /** Value of the state that each step led to, under the present policy: the mean of its action values. */
  readonly nextValue: Tensor;
  /** How much likelier the action is now than when it was taken. */
  readonly ratio: Tensor;
  readonly terminated: Tensor;
  readonly done: Tensor;
};

/**
 * Retrace(λ) (Munos et al., 2016): action values of the present policy from the steps of any other. Later errors count as long as the
 * present policy would have acted alike: their weight is cut at 1, so they never explode. Column `return`.
 */
export function retrace({ gamma, lambda }: GaeOptions): Target<ActionStretch, "return"> {
  return (s) => {
    const g = over(gamma, s);
    const error = sub(add(rewardOf(s), mul(where(s.terminated, 0, s.nextValue), g)), s.q);
    const cut = mul(minimum(s.ratio, 1), over(lambda, s));
    // The weight belongs to the action that follows; after the last there is none.
    const weight = where(s.done, 0, mul(following(cut, zerosLike(cut)), g));
    return { return: add(s.q, backwards(error, weight)) };
  };
}
