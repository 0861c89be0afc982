import { mul, random, where } from "@reins/tensor";
import { fail } from "../errors.ts";
import type { Layer } from "../layer.ts";

/**
 * Sets each element to 0 with probability `rate` and scales up the others if the context has a key; otherwise the identity. A
 * higher rate regularises more (0 to 0.5).
 */
export function dropout(rate: number): Layer<Record<string, never>> {
  if (!(rate >= 0 && rate < 1)) fail("dropout", `the rate is ${rate}; it must be at least 0 and below 1.`);
  return {
    init: () => ({}),
    apply(_, x, context) {
      if (!context?.key || rate === 0) return x;
      return where(random.bernoulli(context.key, 1 - rate, x.shape), mul(x, 1 / (1 - rate)), 0);
    },
  };
}
