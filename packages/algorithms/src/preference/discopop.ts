import { setting } from "@reins/core";
import { type Scalar, valueOf } from "@reins/core/settings";
import { add, div, exp, minimum, mul, neg, sigmoid, sub } from "@reins/tensor";
import { logistic, margin } from "./dpo.ts";
import { preferenceMethod } from "./method.ts";
import { beta, precompute } from "./options.ts";
import { type PairLoss, pairTerm } from "./pairs.ts";

/** A blend of the logistic and the exponential loss, which moves to the exponential one as the margin grows. */
export const discoPopLoss =
  (beta: Scalar, temperature: Scalar): PairLoss =>
  (pairs) => {
    const m = margin(beta)(pairs);
    const share = sigmoid(div(m, valueOf(temperature)));
    // Where the exponential could overflow its share is 0.
    return add(mul(logistic(m), sub(1, share)), mul(exp(minimum(neg(m), 80)), share));
  };

/** The log-ratio modulated loss, which a language model found by search over losses. */
export const discopop = preferenceMethod({
  name: "discopop",
  summary:
    "DPO with a loss that a language model discovered: logistic and exponential, blended by the margin.",
  paper:
    "Discovering Preference Optimization Algorithms with and for Large Language Models (Lu et al., 2024)",
  options: {
    beta: beta(0.1),
    temperature: setting(
      0.05,
      "Margins over which the losses blend. Higher is smoother; up to 0.1 pairs with a margin near 0 first learn the opposite of their label (0.01 to 1).",
      { within: "positive" },
    ),
    precompute,
  },
  // (1 − s) (−log σ(m)) + s exp(−m), with s = σ(m / τ)
  method: (o) => ({ loss: pairTerm(discoPopLoss(o.beta, o.temperature)) }),
});
