import {
  abs,
  add,
  broadcastTo,
  cast,
  clamp,
  div,
  exp,
  gt,
  le,
  maximum,
  mean,
  minimum,
  mul,
  neg,
  reshape,
  round,
  slice,
  sort,
  square,
  stopGradient,
  sub,
  sum,
  type Tensor,
  type Tree,
  take,
  where,
} from "@reins/tensor";
import type { Columns } from "../batch.ts";
import { fail } from "../errors.ts";
import type { LossInput, LossTerm } from "../loss.ts";
import { type SettingValue, settingAt } from "../signals/live.ts";

/** The importance ratio of each step, and what its bound may depend on. */
export interface RatioInput {
  readonly ratio: Tensor;
  readonly advantage: Tensor;
  readonly columns: Columns;
  /** Log-probability under the current policy. */
  readonly logProb: Tensor;
  readonly report?: LossInput["report"];
}

/** How the importance ratio enters the loss: unbounded or clipped. Returns the loss of each step; may report metrics. */
export type Ratio = (input: RatioInput) => Tensor;

/**
 * The PPO clip: the minimum of the surrogate and the surrogate with the ratio clipped to 1 - clip … 1 + high (Schulman et al., 2017). A
 * `high` above `clip` lets unlikely actions become likely faster (Yu et al., 2025).
 */
export function clipped(clip: SettingValue, high: SettingValue = clip): Ratio {
  return ({ ratio, advantage, columns }) => {
    const held = clamp(ratio, sub(1, settingAt(clip, columns)), add(settingAt(high, columns), 1));
    return maximum(neg(mul(ratio, advantage)), neg(mul(held, advantage)));
  };
}

/** The plain importance-weighted policy gradient. */
export const unclipped: Ratio = ({ ratio, advantage }) => neg(mul(ratio, advantage));

/**
 * Drops the given share of a minibatch: the samples whose surrogate (ratio times advantage) is furthest from the mean, which
 * raise its variance most (Xie et al., 2023). The others get more weight, so that the scale of the gradient stays the same.
 */
export function dropOutliers(share: number, inner: Ratio): Ratio {
  return (input) => {
    const { ratio, advantage, report } = input;
    const surrogate = stopGradient(mul(ratio, advantage));
    const [n] = surrogate.shape;
    const kept = n - Math.round(share * n);
    if (kept < 1) fail("dropOutliers", `a share of ${share} drops all ${n} samples. Use a smaller one.`);
    const alive = input.columns.alive as Tensor | undefined;
    const counts = alive ? amongAlive(surrogate, alive, share) : amongAll(surrogate, kept);
    const middle = mean(mul(surrogate, counts));
    report?.("policy/variance-kept", mul(square(sub(surrogate, middle)), counts));
    return mul(inner(input), counts);
  };
}

/** Weights of the `kept` samples that are nearest to the mean; the others are 0. */
function amongAll(surrogate: Tensor, kept: number): Tensor {
  const [n] = surrogate.shape;
  const distance = abs(sub(surrogate, mean(surrogate)));
  const limit = slice(sort(distance), [[kept - 1, kept]]);
  return mul(cast(le(distance, broadcastTo(limit, [n])), "f32"), n / kept);
}

/** The same for masked samples: only those that enter the loss have a mean, outliers and a share. */
function amongAlive(surrogate: Tensor, alive: Tensor, share: number): Tensor {
  const count = maximum(sum(where(alive, 1, 0)), 1);
  const kept = maximum(sub(count, round(mul(count, share))), 1);
  const distance = abs(sub(surrogate, div(sum(where(alive, surrogate, 0)), count)));
  const sorted = sort(where(alive, distance, Number.POSITIVE_INFINITY));
  const limit = take(sorted, reshape(cast(sub(kept, 1), "i32"), [1]));
  return mul(where(le(distance, broadcastTo(limit, surrogate.shape)), 1, 0), div(count, kept));
}

/** Settings of {@link policyGradient}. */
export interface PolicyGradientOptions {
  /** How the importance ratio enters; without it there is no off-policy correction. */
  readonly ratio?: Ratio;
  /** Threshold of the metric `policy/clipped`. */
  readonly clip?: SettingValue;
  /**
   * The ratio is relative to the policy at the start of the update (column `proximal`), and the ratio of that policy to the behaviour
   * policy becomes a weight of at most this (decoupled PPO, Hilton et al., 2022; truncated importance sampling, Yao et al., 2025).
   */
  readonly most?: SettingValue;
}

/** The policy gradient: raises the probability of actions with a positive `advantage`. With `ratio` it corrects for the behaviour policy. */
export function policyGradient(options: PolicyGradientOptions = {}): LossTerm {
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
      // The behaviour probability of a teacher's steps is unknown: they are treated as on-policy.
      const taught = columns.taught as Tensor | undefined;
      const known = (recorded: Tree) =>
        taught ? where(taught, stopGradient(scored.logProb), recorded as Tensor) : (recorded as Tensor);
      const acted = known(columns.logProb);
      const old = options.most === undefined ? acted : known(columns.proximal);
      const difference = sub(scored.logProb, old);
      const r = exp(difference);
      // Schulman's k3 estimator: unbiased and never negative.
      report("policy/kl", sub(sub(r, 1), difference));
      report("policy/ratio", r);
      // Positive if actions with a positive advantage become likelier, as they should.
      report("policy/alignment", mul(difference, advantage));
      const surrogate = mul(r, advantage);
      report("policy/variance", square(sub(surrogate, mean(surrogate))));
      const held = ratio({ ratio: r, advantage, columns, logProb: scored.logProb, report });
      const loss =
        options.most === undefined
          ? held
          : mul(held, minimum(exp(sub(old, acted)), settingAt(options.most, columns)));
      if (options.clip !== undefined)
        report("policy/clipped", cast(gt(abs(sub(r, 1)), settingAt(options.clip, columns)), "f32"));
      report("loss/policy", loss);
      return loss;
    },
  };
}

/**
 * The KL divergence from the behaviour policy, as a penalty, estimated from the recorded
 * actions (Schulman's k3 estimator: unbiased and never negative).
 */
export function klFromBehaviour(): LossTerm {
  return {
    needs: { likelihood: "exact", for: "the KL divergence from the behaviour policy" },
    value({ scored, columns }) {
      const difference = sub(scored.logProb, columns.logProb as Tensor);
      return sub(sub(exp(difference), 1), difference);
    },
  };
}
