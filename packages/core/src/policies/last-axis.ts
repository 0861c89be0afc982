import { slice, type Tensor } from "@reins/tensor";

/** The part of the last axis from one position to another. */
export function lastAxis(x: Tensor, from: number, to: number): Tensor {
  return slice(
    x,
    x.shape.map((_, axis) => (axis === x.rank - 1 ? ([from, to] as const) : null)),
  );
}
