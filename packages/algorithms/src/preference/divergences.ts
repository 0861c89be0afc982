import { type Scalar, valueOf } from "@reins/core/settings";
import { exp, minimum, mul, neg, softplus, sub, type Tensor } from "@reins/tensor";
import type { ImplicitReward } from "./pairs.ts";

/** f-divergences from the reference policy that DPO can regularise with. */
export const divergences = ["reverse-kl", "forward-kl", "js", "alpha"] as const;

/** One of {@link divergences}. */
export type Divergence = (typeof divergences)[number];

/** Exponents above this overflow in f32 after a sum. */
const largest = 80;
const boundedExp = (x: Tensor) => exp(minimum(x, largest));

/**
 * The implicit reward under an f-divergence, f′(π/π₀), up to a constant that cancels in pairs (Wang et al., 2023). The
 * α-divergence tends to the reverse KL as α goes to 0, and is the forward KL at 1.
 */
export function implicitReward(divergence: Divergence, alpha: Scalar): ImplicitReward {
  switch (divergence) {
    case "reverse-kl":
      return (c) => c.logRatio;
    case "forward-kl":
      return (c) => neg(boundedExp(neg(c.logRatio)));
    case "js":
      return (c) => sub(c.logRatio, softplus(c.logRatio));
    case "alpha": {
      const a = valueOf(alpha);
      return (c) => neg(boundedExp(neg(mul(c.logRatio, a)))).div(a);
    }
  }
}
