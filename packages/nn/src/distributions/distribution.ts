import type { Tensor, Tree } from "@reins/tensor";
import { fail } from "../errors.ts";

/**
 * A distribution over actions (or any tree `A` of tensors). Its parameters have leading batch axes; log-probabilities,
 * entropies and divergences have exactly those: several independent numbers in one action (the last axis) are summed.
 */
export interface Distribution<A extends Tree = Tensor> {
  sample(key: Tensor): A;
  logProb(x: A): Tensor;
  /** The most likely value; each distribution documents the cases in which it is not well defined. */
  mode(): A;
  /** The expected value; absent if undefined (categories). */
  mean?(): A;
  /** Entropy in nats. Without a closed form a `key` is needed, and the result is an estimate from one sample per row. */
  entropy(key?: Tensor): Tensor;
  /**
   * Kullback-Leibler divergence from this distribution to another of the same family. Without a closed form a `key` is needed,
   * and the result is an estimate from one sample per row.
   */
  kl(other: this, key?: Tensor): Tensor;
}

/** The key for an estimate, or an error that explains why it is needed. */
export function keyFor(what: string, key: Tensor | undefined): Tensor {
  return (
    key ??
    fail(
      what,
      "has no closed form. Pass a key for an estimate from samples, or use a distribution that has one.",
    )
  );
}
