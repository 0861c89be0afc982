import { setting } from "@reins/core";
import { type Scalar, valueOf } from "@reins/core/settings";
import { add, log, log1p, logSigmoid, mul, neg, sigmoid, sub } from "@reins/tensor";
import { margin } from "./dpo.ts";
import { preferenceMethod } from "./method.ts";
import { beta, precompute } from "./options.ts";
import { type PairLoss, pairTerm } from "./pairs.ts";

/** The reverse KL divergence of the policy's preference from labels that are right with probability 1 − ε. */
export const exoLoss =
  (beta: Scalar, smoothing: Scalar): PairLoss =>
  (pairs) => {
    const m = margin(beta)(pairs);
    const e = valueOf(smoothing);
    const [right, wrong] = [log1p(mul(e, -1)), typeof e === "number" ? Math.log(e) : log(e)];
    const chosen = mul(sigmoid(m), sub(logSigmoid(m), right));
    return add(chosen, mul(sigmoid(neg(m)), sub(logSigmoid(neg(m)), wrong)));
  };

/** Exact preference optimisation, in pairs. */
export const exo = preferenceMethod({
  name: "exo",
  summary: "Reverse KL divergence from the labels' distribution: seeks the mode instead of covering it.",
  paper: "Towards Efficient Exact Optimization of Language Model Alignment (Ji et al., 2024)",
  options: {
    beta: beta(0.1),
    smoothing: setting(
      0.1,
      "Assumed share of pairs whose labels are swapped; above 0. Higher trusts each pair less (0.001 to 0.3).",
      { within: "positive" },
    ),
    precompute,
  },
  // σ(m) log(σ(m) / (1 − ε)) + σ(−m) log(σ(−m) / ε)
  method: (o) => ({ loss: pairTerm(exoLoss(o.beta, o.smoothing)) }),
});
