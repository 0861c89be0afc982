import { slice, type Tensor } from "@reins/tensor";

/** A slice of the last axis. */
export function lastAxis(x: Tensor, from: number, to: number): Tensor {
  return slice(
    x,
    x.shape.map((_, axis) => (axis === x.rank - 1 ? ([from, to] as const) : null)),
  );
}
