import {
  argmax,
  exp,
  gt,
  logSoftmax,
  mul,
  neg,
  pick,
  random,
  sub,
  sum,
  type Tensor,
  where,
} from "@reins/tensor";
import { fail, show } from "../errors.ts";
import type { Distribution } from "./distribution.ts";

/** Parameters of {@link categorical}. */
export interface CategoricalOptions {
  /** Unnormalised log-probabilities, categories last. */
  logits: Tensor;
  /** True for the allowed categories (bool, the shape of the logits). A row without any is uniform over all. */
  mask?: Tensor;
}

/** Return type of {@link categorical}. */
export interface Categorical extends Distribution {
  /** Normalised log-probabilities; those of masked categories are about -1e30. */
  readonly logProbs: Tensor;
  /** Probabilities, which sum to 1. */
  probs(): Tensor;
}

/** One of n categories (i32). Entropy and KL are exact; a category with a logit of -∞ does not contribute. */
export function categorical({ logits, mask }: CategoricalOptions): Categorical {
  if (mask && mask.dtype !== "bool")
    fail(
      "categorical",
      `the mask is ${mask.dtype}${show(mask.shape)}; it must be bool, true for allowed categories.`,
    );
  // Finite rather than -∞: 0 · (-1e30) is 0, and gradients stay finite.
  const allowed = mask ? where(mask, logits, -1e30) : logits;
  const logProbs = logSoftmax(allowed);
  /** Σ p · x, where an infinite x with probability 0 counts as 0. */
  const expected = (x: Tensor) => {
    const p = exp(logProbs);
    return sum(mul(p, where(gt(p, 0), x, 0)), -1);
  };
  return {
    logProbs,
    probs: () => exp(logProbs),
    sample: (key) => random.categorical(key, allowed),
    logProb: (x) => pick(logProbs, x),
    mode: () => argmax(allowed),
    entropy: () => neg(expected(logProbs)),
    kl: (other) => expected(sub(logProbs, other.logProbs)),
  };
}
