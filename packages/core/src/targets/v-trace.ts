import { add, minimum, mul, sub, type Tensor, where } from "@reins/tensor";
import { type Adjustable, over } from "../signals/live.ts";
import type { Stretch, Target } from "../target.ts";
import { backwards, following, rewardOf } from "./backwards.ts";

/** Settings of {@link vTrace}. */
export interface VTraceOptions {
  gamma: Adjustable;
  /** As in TD(λ); 1 in the paper. */
  lambda?: Adjustable;
  /** Largest ratio in a step's own error: which policy is evaluated. Higher corrects more and varies more. Default 1. */
  clipRho?: Adjustable;
  /** Largest ratio by which errors flow back: how fast it converges. Default 1. */
  clipC?: Adjustable;
}

/**
 * V-trace (Espeholt et al., 2018): returns and advantages of the present policy from the steps of an older one. The column `ratio` says
 * how much likelier each action is now than it was then.
 */
export function vTrace({
  gamma,
  lambda = 1,
  clipRho = 1,
  clipC = 1,
}: VTraceOptions): Target<Stretch & { readonly ratio: Tensor }, "advantage" | "return"> {
  return (s) => {
    const reward = rewardOf(s);
    const g = over(gamma, s);
    const rho = minimum(s.ratio, over(clipRho, s));
    const c = mul(minimum(s.ratio, over(clipC, s)), over(lambda, s));
    const next = where(s.terminated, 0, s.nextValue);
    const delta = mul(rho, sub(add(reward, mul(next, g)), s.value));
    const corrected = add(s.value, backwards(delta, where(s.done, 0, mul(c, g))));
    // What a step led to is worth its corrected value, within an episode.
    const later = where(s.done, next, following(corrected, s.nextValue));
    return { return: corrected, advantage: mul(rho, sub(add(reward, mul(later, g)), s.value)) };
  };
}
