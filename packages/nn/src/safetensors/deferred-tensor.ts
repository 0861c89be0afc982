import { type DType, type Shape, Tensor } from "@reins/tensor";

/**
 * A tensor that is created when it is written, with a shape that is known before: tensors written one after another are never all
 * in memory at once.
 */
export interface DeferredTensor {
  readonly shape: Shape;
  readonly dtype: DType;
  make(): Tensor;
}

/** A tensor that is read from elsewhere when it is written. */
export interface AwaitedTensor extends Omit<DeferredTensor, "make"> {
  make(): Promise<Tensor>;
}

/** The tensor itself, created if necessary. */
export const materialise = (t: Tensor | DeferredTensor): Tensor => (t instanceof Tensor ? t : t.make());
