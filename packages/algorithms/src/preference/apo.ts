import { type Scalar, valueOf } from "@reins/core/settings";
import { add, mul, sigmoid, sub } from "@reins/tensor";
import { preferenceMethod } from "./method.ts";
import { beta, precompute } from "./options.ts";
import { type PairLoss, pairTerm } from "./pairs.ts";

/** Raises chosen and lowers rejected completions, both relative to the reference. */
export const apoZeroLoss =
  (beta: Scalar): PairLoss =>
  ({ chosen, rejected }) => {
    const [better, worse] = [chosen, rejected].map((c) => sigmoid(mul(c.logRatio, valueOf(beta))));
    return add(sub(1, better), worse);
  };

/** Lowers both, the rejected one more. */
export const apoDownLoss =
  (beta: Scalar): PairLoss =>
  ({ chosen, rejected }) => {
    const better = mul(chosen.logRatio, valueOf(beta));
    const worse = mul(rejected.logRatio, valueOf(beta));
    return add(sigmoid(better), sub(1, sigmoid(sub(better, worse))));
  };

const paper = "Anchored Preference Optimization and Contrastive Revisions (D'Oosterlinck et al., 2024)";

/** Anchored preference optimisation for chosen completions that are better than the policy's own. */
export const apoZero = preferenceMethod({
  name: "apo-zero",
  summary: "Raises chosen and lowers rejected completions: for chosen ones better than the policy's own.",
  paper,
  options: { beta: beta(0.1), precompute },
  // 1 − σ(r⁺) + σ(r⁻), with r = β log π/π₀
  method: (o) => ({ loss: pairTerm(apoZeroLoss(o.beta)) }),
});

/** Anchored preference optimisation for chosen completions that are worse than the policy's own. */
export const apoDown = preferenceMethod({
  name: "apo-down",
  summary: "Lowers both completions, rejected ones more: for chosen ones worse than the policy's own.",
  paper,
  options: { beta: beta(0.1), precompute },
  // σ(r⁺) + 1 − σ(r⁺ − r⁻), with r = β log π/π₀
  method: (o) => ({ loss: pairTerm(apoDownLoss(o.beta)) }),
});
