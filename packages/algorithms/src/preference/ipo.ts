import { type Scalar, valueOf } from "@reins/core/settings";
import { div, square, sub } from "@reins/tensor";
import { preferenceMethod } from "./method.ts";
import { beta, precompute } from "./options.ts";
import { type ImplicitReward, logRatioPerToken, type PairLoss, pairTerm } from "./pairs.ts";

/** The squared distance of the margin, without its factor, from 1 / (2β). */
export const ipoLoss =
  (beta: Scalar, reward: ImplicitReward = logRatioPerToken): PairLoss =>
  ({ chosen, rejected }) =>
    square(sub(sub(reward(chosen), reward(rejected)), div(0.5, valueOf(beta))));

/**
 * Identity preference optimisation: regresses the margin to a finite value, so that certain preferences do not push the
 * policy away from the reference for ever. Ratios are per token, as in the authors' later implementation.
 */
export const ipo = preferenceMethod({
  name: "ipo",
  summary: "Regresses the margin of each pair to a fixed value: does not overfit preferences without noise.",
  paper: "A General Theoretical Paradigm to Understand Learning from Human Preferences (Azar et al., 2023)",
  options: { beta: beta(0.5), precompute },
  // (log π(y⁺)/π₀(y⁺) / |y⁺| − log π(y⁻)/π₀(y⁻) / |y⁻| − 1 / (2β))²
  method: (o) => ({ loss: pairTerm(ipoLoss(o.beta), logRatioPerToken) }),
});
