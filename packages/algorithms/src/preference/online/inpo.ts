import { setting } from "@reins/core";
import { type Scalar, valueOf } from "@reins/core/settings";
import { add, div, mul, square, sub, type Tensor } from "@reins/tensor";
import { type ImplicitReward, type PairLoss, pairTerm } from "../pairs.ts";
import { onlinePreferenceMethod } from "./method.ts";

/** Weights of iterative Nash policy optimisation: η of the KL divergence from the policy that sampled, and τ of that from the reference. */
export interface NashWeights {
  readonly step: Scalar;
  readonly anchor: Scalar;
}

/**
 * The squared distance of h(y⁺, y⁻) from 1 / (2η), where h compares the log-ratio of the policy with that of a geometric
 * mixture: the reference policy with weight τ/η and the policy that sampled the pair with the rest.
 */
export const inpoLoss =
  ({ step, anchor }: NashWeights): PairLoss =>
  ({ chosen, rejected, rows, split, input }) => {
    const share = div(valueOf(anchor), valueOf(step));
    const sampled = split(rows.total(input.columns.logProb as Tensor));
    const mixture = (c: typeof chosen, old: Tensor) => add(mul(c.reference, share), mul(old, sub(1, share)));
    const gap = (of: readonly [Tensor, Tensor]) => sub(of[0], of[1]);
    const h = sub(
      gap([chosen.logProb, rejected.logProb]),
      gap([mixture(chosen, sampled[0]), mixture(rejected, sampled[1])]),
    );
    return square(sub(h, div(0.5, valueOf(step))));
  };

const logRatio: ImplicitReward = (c) => c.logRatio;

/** Iterative Nash policy optimisation: mirror descent on a preference game, the policy against itself. */
export const inpo = onlinePreferenceMethod({
  name: "inpo",
  summary:
    "Approaches the Nash equilibrium of a preference game by self-play: for preferences that no reward expresses.",
  paper:
    "Iterative Nash Policy Optimization: Aligning LLMs with General Preferences via No-Regret Learning (Zhang et al., 2024)",
  options: {
    step: setting(
      0.5,
      "Weight η of the KL divergence from the policy that sampled: the inverse of a step size. Higher moves less in one batch (0.05 to 5).",
      {
        within: "positive",
      },
    ),
    anchor: setting(
      0.05,
      "Weight τ of the reference policy, at most η. Higher stays closer to it (0 to a third of η).",
      { within: "nonnegative" },
    ),
  },
  // (h(y⁺, y⁻) − 1/(2η))²,  h = Δ log π − τ/η Δ log π₀ − (1 − τ/η) Δ log π_t,  y⁺, y⁻ ~ π_t
  method: (o) => ({ loss: pairTerm(inpoLoss(o), logRatio) }),
});
