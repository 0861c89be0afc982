import { type DType, type Shape, Tensor } from "@reins/tensor";

/**
 * A tensor that is made when its turn comes, of a shape that is known before: what is written one after another is never all in memory at
 * once.
 */
export interface Deferred {
  readonly shape: Shape;
  readonly dtype: DType;
  make(): Tensor;
}

/** The tensor itself, made now if it was not before. */
export const madeOf = (t: Tensor | Deferred): Tensor => (t instanceof Tensor ? t : t.make());
