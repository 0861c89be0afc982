import { type Scalar, valueOf } from "@reins/core/settings";
import { add, exp, log, logSigmoid, minimum, mul, neg, sub, type Tensor } from "@reins/tensor";
import { type Completions, perToken } from "./completions.ts";
import { preferenceMethod } from "./method.ts";
import { beta } from "./options.ts";
import { chosenLikelihood, type PairLoss, pairTerm } from "./pairs.ts";

/** log p / (1 − p), where p is the geometric mean of the tokens' probabilities. It is bounded where p rounds to 1. */
export function logOdds(completions: Completions): Tensor {
  const p = minimum(perToken(completions), -1e-6);
  return sub(p, log(sub(1, exp(p))));
}

/** The logistic loss of the log odds ratio. */
export const oddsRatioLoss =
  (): PairLoss =>
  ({ chosen, rejected }) =>
    neg(logSigmoid(sub(logOdds(chosen), logOdds(rejected))));

/** The supervised loss plus β times the odds ratio loss. */
export const orpoLoss =
  (beta: Scalar): PairLoss =>
  (pairs) =>
    add(chosenLikelihood(pairs), mul(pairs.mean(oddsRatioLoss()(pairs)), valueOf(beta)));

/** Odds ratio preference optimisation: supervised fine-tuning and preferences in one stage, without a reference. */
export const orpo = preferenceMethod({
  name: "orpo",
  summary:
    "Supervised fine-tuning with a penalty on the odds of rejected completions: one stage, no reference model.",
  paper: "ORPO: Monolithic Preference Optimization without Reference Model (Hong et al., 2024)",
  options: { beta: beta(0.2) },
  // −log π(y⁺)/|y⁺| − β log σ(log odds(y⁺) − log odds(y⁻))
  method: (o) => ({ loss: pairTerm(orpoLoss(o.beta), logOdds), reference: false }),
});
