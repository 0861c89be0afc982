import type { Live } from "@reins/core";
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
  /** Share of the log-policy that is added to rewards. */
  readonly bonus: Live;
  /** Of the policy that values stand for. */
  readonly temperature: Live;
  /** How far below 0 the scaled log-policy counts. */
  readonly bonusLimit: Live;
}

/**
 * The next state's soft value Σ π (q − τ log π), where π is the softmax of the target network's q / τ, and a bonus of α τ log π for what
 * was done, no further below 0 than `bonusLimit`: who already prefers an action is paid for it (Vieillard et al., "Munchausen Reinforcement Learning",
 * 2020). Numbers that stand for a distribution are mixed by the same π, each of them (M-IQN).
 */
export const munchausen =
  ({ bonus, temperature, bonusLimit }: MunchausenOptions): QBootstrap =>
  ({ goals, value, action, mask, nextMask }) => {
    const tau = temperature.tensor;
    /** τ log π. */
    const scaledLog = (q: Tensor, may?: Tree) => mul(logSoftmax(allowed(q, may).div(tau)), tau);
    const next = scaledLog(value("target", "next"), nextMask);
    const policy = exp(next.div(tau));
    const each = (x: Tensor) => (goals.rank === 2 ? x : expandDims(x, 2));
    const taken = ofAction(scaledLog(value("target", "state"), mask), action);
    return {
      next: sum(mul(each(policy), sub(goals, each(next))), 1),
      bonus: mul(bonus.tensor, clamp(taken, neg(bonusLimit.tensor), 0)),
    };
  };
