import { broadcastTo, reshape } from "../ops/movement.ts";
import type { Tensor } from "../tensor.ts";

/** A value of the inner function: with a leading axis for the members, or shared by all of them. */
export interface Batched {
  readonly tensor: Tensor;
  readonly batched: boolean;
}

/** The value with the leading axis, repeated if it had none. */
export function widen(v: Batched, count: number): Batched {
  if (v.batched) return v;
  return {
    tensor: broadcastTo(reshape(v.tensor, [1, ...v.tensor.shape]), [count, ...v.tensor.shape]),
    batched: true,
  };
}
