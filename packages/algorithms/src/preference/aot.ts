import { type Scalar, valueOf } from "@reins/core/settings";
import { cast, maximum, mul, sort, sub, sum, type Tensor, where } from "@reins/tensor";
import { logistic } from "./dpo.ts";
import { preferenceMethod } from "./method.ts";
import { beta, precompute, smoothing } from "./options.ts";
import { type PairLoss, type Pairs, pairTerm } from "./pairs.ts";

/** Log-probability ratios are far below this, so padding is sorted to the end. */
const last = 1e9;

/**
 * The logistic loss of the differences between the quantiles of two samples: small where the first sample dominates
 * the second stochastically.
 */
function dominance(
  { present }: Pairs,
  above: Tensor,
  below: Tensor,
  beta: Scalar,
  smoothing: Scalar,
): Tensor {
  const sorted = (x: Tensor) => sort(where(present, x, last));
  const counts = sort(cast(present, "f32"), -1, true);
  const losses = logistic(mul(sub(sorted(above), sorted(below)), valueOf(beta)), smoothing);
  return sum(mul(losses, counts)).div(maximum(sum(counts), 1));
}

/** The policy's margins dominate those of the reference. */
export const aotLoss =
  (beta: Scalar, smoothing: Scalar = 0): PairLoss =>
  (pairs) => {
    const { chosen, rejected } = pairs;
    const policy = sub(chosen.logProb, rejected.logProb);
    return dominance(pairs, policy, sub(chosen.reference, rejected.reference), beta, smoothing);
  };

/** Rewards of chosen completions dominate those of rejected ones. */
export const aotUnpairedLoss =
  (beta: Scalar, smoothing: Scalar = 0): PairLoss =>
  (pairs) =>
    dominance(pairs, pairs.chosen.logRatio, pairs.rejected.logRatio, beta, smoothing);

const paper = "Distributional Preference Alignment of LLMs via Optimal Transport (Melnyk et al., 2024)";

/** Alignment via optimal transport, of margins. */
export const aot = preferenceMethod({
  name: "aot",
  summary: "Compares quantiles over a batch: margins under the policy dominate those under the reference.",
  paper,
  options: { beta: beta(0.1), smoothing, precompute },
  // −log σ(β (quantile i of log π(y⁺)/π(y⁻) − quantile i of log π₀(y⁺)/π₀(y⁻)))
  method: (o) => ({ loss: pairTerm(aotLoss(o.beta, o.smoothing)), wholeBatch: true }),
});

/** Alignment via optimal transport, of rewards: chosen and rejected completions need not share prompts. */
export const aotUnpaired = preferenceMethod({
  name: "aot-unpaired",
  summary: "Compares quantiles over a batch: rewards of chosen completions dominate those of rejected ones.",
  paper,
  options: { beta: beta(0.1), smoothing, precompute },
  // −log σ(β (quantile i of log π(y⁺)/π₀(y⁺) − quantile i of log π(y⁻)/π₀(y⁻)))
  method: (o) => ({ loss: pairTerm(aotUnpairedLoss(o.beta, o.smoothing)), wholeBatch: true }),
});
