import type { Scalar } from "@reins/core/settings";
import { relu, sub } from "@reins/tensor";
import { margin } from "./dpo.ts";
import { preferenceMethod } from "./method.ts";
import { beta, precompute } from "./options.ts";
import { type PairLoss, pairTerm } from "./pairs.ts";

/** The hinge loss of the margin: pairs with a margin above 1 have no gradient. */
export const hingeLoss =
  (beta: Scalar): PairLoss =>
  (pairs) =>
    relu(sub(1, margin(beta)(pairs)));

/** Sequence likelihood calibration with a hinge on ratios to the reference, as normalised by RSO (Liu et al., 2023). */
export const slic = preferenceMethod({
  name: "slic",
  summary: "Hinge loss of the margin: pairs that are ordered clearly enough are left alone.",
  paper: "SLiC-HF: Sequence Likelihood Calibration with Human Feedback (Zhao et al., 2023)",
  options: { beta: beta(0.2), precompute },
  // max(0, 1 − β (log π(y⁺)/π₀(y⁺) − log π(y⁻)/π₀(y⁻)))
  method: (o) => ({ loss: pairTerm(hingeLoss(o.beta)) }),
});
