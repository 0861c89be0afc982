import { bitcast, cast, maximum, mod, random, type Tensor } from "@reins/tensor";

/** Samples entries of a replay buffer. */
export interface ReplaySampler {
  /** Bytes it takes besides the entries. */
  readonly bytes: number;
  /** Traced: the next minibatch. */
  pick(count: number, key: Tensor, size: Tensor): { readonly index: Tensor; readonly weight?: Tensor };
  /** Host: an entry was written to this slot. */
  added?(slot: number): void;
  /** Host, before an update: samples, if that does not happen in the compiled function. */
  prepare?(size: number): void;
  /** Host, after an update: the TD errors of the sampled entries; NaN for those that were not used. */
  learned?(errors: Tensor): void;
  /** Host: effective size of the last minibatch as a fraction of a uniform one, if its entries have weights. */
  effective?(): number;
}

/** A way to sample minibatches of a given size. */
export type MakeReplaySampler = (capacity: number, batch: number) => ReplaySampler;

/** Uniform with replacement; sampled inside the compiled update. */
export function uniformSampler(): MakeReplaySampler {
  return () => ({
    bytes: 0,
    pick: (count, key, size) => ({ index: anyOf(count, key, size) }),
  });
}

/** `count` random integers below `size`, which is known only at run time. */
export function anyOf(count: number, key: Tensor, size: Tensor): Tensor {
  // 32 bits modulo the size: with 10⁶ entries some are 0.02% likelier than others.
  return bitcast(mod(random.bits(key, [count]), cast(maximum(size, 1), "u32")), "i32");
}
