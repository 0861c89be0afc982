import { setting } from "@reins/core";
import { type Scalar, valueOf } from "@reins/core/settings";
import { mul, neg, sub } from "@reins/tensor";
import { logistic, margin } from "./dpo.ts";
import { preferenceMethod } from "./method.ts";
import { beta, precompute } from "./options.ts";
import { type PairLoss, pairTerm } from "./pairs.ts";

/** The logistic loss, corrected so that its expectation over labels swapped with probability ε is the loss of the true labels. */
export const robustLoss =
  (beta: Scalar, swapped: Scalar): PairLoss =>
  (pairs) => {
    const e = valueOf(swapped);
    const m = margin(beta)(pairs);
    const corrected = sub(mul(logistic(m), sub(1, e)), mul(logistic(neg(m)), e));
    return corrected.div(sub(1, mul(e, 2)));
  };

/** Robust DPO: unbiased where a known share of the labels is wrong. Label smoothing is not. */
export const robustDpo = preferenceMethod({
  name: "robust-dpo",
  summary: "DPO with a loss that is unbiased where a known share of the preferences is swapped.",
  paper: "Provably Robust DPO: Aligning Language Models with Noisy Feedback (Chowdhury et al., 2024)",
  options: {
    beta: beta(0.1),
    swapped: setting(
      0.1,
      "Share of pairs whose labels are swapped. Higher trusts each pair less (0 to 0.4).",
      {
        within: "share",
      },
    ),
    precompute,
  },
  // ((1 − ε) ℓ(m) − ε ℓ(−m)) / (1 − 2ε), with ℓ(m) = −log σ(m)
  method: (o) => ({ loss: pairTerm(robustLoss(o.beta, o.swapped)) }),
});
