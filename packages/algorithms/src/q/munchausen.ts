import type { LiveValue } from "@reins/core/settings";
import {
  clamp,
  exp,
  expandDims,
  logSoftmax,
  mul,
  neg,
  sub,
  sum,
  type Tensor,
  type Tree,
} from "@reins/tensor";
import { ofAction, type QBootstrap } from "./bootstrap.ts";
import { allowed } from "./greedy.ts";

/** Settings of {@link munchausen}. */
export interface MunchausenOptions {
  /** Weight of the log-policy added to rewards. */
  readonly bonus: LiveValue;
  /** Temperature of the softmax policy. */
  readonly temperature: LiveValue;
  /** Lower clip bound of the scaled log-policy. */
  readonly bonusLimit: LiveValue;
}

/**
 * The next state's soft value Σ π (q − τ log π), where π is the softmax of the target network's q / τ, and a bonus
 * of α τ log π for the taken action, clipped below at `bonusLimit` (Vieillard et al., "Munchausen Reinforcement
 * Learning", 2020). Atoms of a distribution are mixed by the same π (M-IQN).
 */
export const munchausen =
  ({ bonus, temperature, bonusLimit }: MunchausenOptions): QBootstrap =>
  ({ targets, value, action, mask, nextMask }) => {
    const tau = temperature.tensor;
    /** τ log π. */
    const scaledLog = (q: Tensor, may?: Tree) => mul(logSoftmax(allowed(q, may).div(tau)), tau);
    const next = scaledLog(value("target", "next"), nextMask);
    const policy = exp(next.div(tau));
    const each = (x: Tensor) => (targets.rank === 2 ? x : expandDims(x, 2));
    const taken = ofAction(scaledLog(value("target", "state"), mask), action);
    return {
      next: sum(mul(each(policy), sub(targets, each(next))), 1),
      bonus: mul(bonus.tensor, clamp(taken, neg(bonusLimit.tensor), 0)),
    };
  };
