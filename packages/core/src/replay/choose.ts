import { bitcast, cast, maximum, mod, random, type Tensor } from "@reins/tensor";

/** Decides which entries are learned from. */
export interface Chooser {
  /** Bytes it takes beside the entries. */
  readonly bytes: number;
  /** Traced: the next minibatch. */
  pick(count: number, key: Tensor, size: Tensor): { readonly index: Tensor; readonly weight?: Tensor };
  /** Host: an entry was written to this slot. */
  added?(slot: number): void;
  /** Host, before an update: chooses, where that is not left to chance. */
  prepare?(size: number): void;
  /** Host, after an update: the errors of the entries picked; NaN for those that were not used. */
  learned?(errors: Tensor): void;
  /** Host: as how large a share of a uniform minibatch the last one counts, where its entries have weights. */
  effective?(): number;
}

/** A way to choose minibatches of a given size. */
export type Choose = (capacity: number, batch: number) => Chooser;

/** All entries alike, with replacement; drawn inside the compiled update. */
export function uniformly(): Choose {
  return () => ({
    bytes: 0,
    pick: (count, key, size) => ({ index: anyOf(count, key, size) }),
  });
}

/** `count` whole numbers below `size`, which is known only when the function runs. */
export function anyOf(count: number, key: Tensor, size: Tensor): Tensor {
  // 32 bits modulo the size: with 10⁶ entries some are 0.02% likelier than others.
  return bitcast(mod(random.bits(key, [count]), cast(maximum(size, 1), "u32")), "i32");
}
