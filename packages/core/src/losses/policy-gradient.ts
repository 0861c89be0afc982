import {
  abs,
  add,
  broadcastTo,
  cast,
  clamp,
  exp,
  gt,
  le,
  maximum,
  mean,
  minimum,
  mul,
  neg,
  slice,
  sort,
  square,
  stopGradient,
  sub,
  type Tensor,
  type Tree,
  where,
} from "@reins/tensor";
import type { Columns } from "../batch.ts";
import { fail } from "../errors.ts";
import type { Material, Term } from "../loss.ts";
import { type Adjustable, over } from "../signals/live.ts";

/** How the ratio of new to old probability enters: as it is, or held within bounds. Gives the loss of each step; may report numbers. */
export type Ratio = (
  ratio: Tensor,
  advantage: Tensor,
  columns: Columns,
  logProb: Tensor,
  report?: Material["report"],
) => Tensor;

/**
 * The pessimistic one of the ratio and the ratio clipped to 1 - clip … 1 + high (Schulman et al., 2017). A `high` above `clip` lets
 * unlikely actions become likely faster (Yu et al., 2025).
 */
export function clipped(clip: Adjustable, high: Adjustable = clip): Ratio {
  return (ratio, advantage, columns) => {
    const held = clamp(ratio, sub(1, over(clip, columns)), add(over(high, columns), 1));
    return maximum(neg(mul(ratio, advantage)), neg(mul(held, advantage)));
  };
}

/** The plain importance-weighted policy gradient. */
export const unclipped: Ratio = (ratio, advantage) => neg(mul(ratio, advantage));

/**
 * Leaves out the given share of a minibatch: the samples whose surrogate (ratio times advantage) is furthest from the mean, which
 * are those that raise its variance most (Xie et al., 2023). The others count for more, so that the step stays as long.
 */
export function dropping(share: number, inner: Ratio): Ratio {
  return (ratio, advantage, columns, logProb, report) => {
    const surrogate = stopGradient(mul(ratio, advantage));
    const distance = abs(sub(surrogate, mean(surrogate)));
    const [n] = distance.shape;
    const kept = n - Math.round(share * n);
    if (kept < 1) fail("dropping", `a share of ${share} leaves nothing of ${n} samples. Take a smaller one.`);
    const limit = slice(sort(distance), [[kept - 1, kept]]);
    const counts = mul(cast(le(distance, broadcastTo(limit, [n])), "f32"), n / kept);
    const middle = mean(mul(surrogate, counts));
    report?.("policy/variance-kept", mul(square(sub(surrogate, middle)), counts));
    return mul(inner(ratio, advantage, columns, logProb, report), counts);
  };
}

/** Settings of {@link policyGradient}. */
export interface PolicyGradientOptions {
  /** How the ratio of new to old probability enters; without one there is no correction for the policy that acted. */
  readonly ratio?: Ratio;
  /** Beyond which the metric `policy/clipped` counts a ratio. */
  readonly clip?: Adjustable;
  /**
   * The ratio is to the policy at the start of the update (column `proximal`), and what that differs from the policy that acted is a
   * weight of at most this (decoupled PPO, Hilton et al., 2022; truncated importance sampling, Yao et al., 2025).
   */
  readonly most?: Adjustable;
}

/** Raises the probability of actions with a positive `advantage`. With `ratio` it corrects for the policy that acted. */
export function policyGradient(options: PolicyGradientOptions = {}): Term {
  const { ratio } = options;
  return {
    needs: { likelihood: "exact", for: "the policy gradient" },
    corrects: ratio !== undefined,
    value({ scored, columns, report }) {
      const advantage = columns.advantage as Tensor;
      report("policy/entropy", scored.entropy);
      if (!ratio) {
        const loss = neg(mul(scored.logProb, advantage));
        report("loss/policy", loss);
        return loss;
      }
      // How likely a teacher's steps were when they were made is not known: they count as the policy's own of now.
      const taught = columns.taught as Tensor | undefined;
      const known = (recorded: Tree) =>
        taught ? where(taught, stopGradient(scored.logProb), recorded as Tensor) : (recorded as Tensor);
      const acted = known(columns.logProb);
      const old = options.most === undefined ? acted : known(columns.proximal);
      const difference = sub(scored.logProb, old);
      const r = exp(difference);
      // Schulman's estimator: unbiased, and never negative.
      report("policy/kl", sub(sub(r, 1), difference));
      report("policy/ratio", r);
      // Above 0 when actions that did well become likelier, as they should.
      report("policy/alignment", mul(difference, advantage));
      const surrogate = mul(r, advantage);
      report("policy/variance", square(sub(surrogate, mean(surrogate))));
      const held = ratio(r, advantage, columns, scored.logProb, report);
      const loss =
        options.most === undefined
          ? held
          : mul(held, minimum(exp(sub(old, acted)), over(options.most, columns)));
      if (options.clip !== undefined)
        report("policy/clipped", cast(gt(abs(sub(r, 1)), over(options.clip, columns)), "f32"));
      report("loss/policy", loss);
      return loss;
    },
  };
}

/**
 * How far the policy has moved from the one that acted, to be kept small: the divergence of new from old, estimated from the old
 * one's actions (Schulman's third estimator: unbiased, and never negative).
 */
export function movement(): Term {
  return {
    needs: { likelihood: "exact", for: "the divergence from the policy that acted" },
    value({ scored, columns }) {
      const difference = sub(scored.logProb, columns.logProb as Tensor);
      return sub(sub(exp(difference), 1), difference);
    },
  };
}
