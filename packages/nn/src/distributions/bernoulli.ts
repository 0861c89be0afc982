import { add, cast, gt, mul, random, sigmoid, softplus, sub, sum, type Tensor } from "@reins/tensor";
import type { Distribution } from "./distribution.ts";

/** Parameters of {@link bernoulli}. */
export interface BernoulliOptions {
  /** The log-odds of 1, one per bit on the last axis; higher makes 1 likelier. */
  logits: Tensor;
}

/** Return type of {@link bernoulli}. */
export interface Bernoulli extends Distribution {
  readonly logits: Tensor;
}

/** Independent bits on the last axis (i32, 0 or 1; `logProb` takes any type). Entropy and KL are exact. */
export function bernoulli({ logits }: BernoulliOptions): Bernoulli {
  const p = sigmoid(logits);
  return {
    logits,
    sample: (key) => cast(random.bernoulli(key, p), "i32"),
    logProb: (x) => sum(sub(mul(cast(x, "f32"), logits), softplus(logits)), -1),
    mode: () => cast(gt(logits, 0), "i32"),
    mean: () => p,
    entropy: () => sum(sub(softplus(logits), mul(p, logits)), -1),
    kl: (other) =>
      sum(add(mul(p, sub(logits, other.logits)), sub(softplus(other.logits), softplus(logits))), -1),
  };
}
