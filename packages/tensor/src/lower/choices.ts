import type { NodeOf } from "../graph.ts";
import { add, and, eq, gt, maximum, minimum, ne, where } from "../ops/arithmetic.ts";
import { broadcastTo, iota } from "../ops/movement.ts";
import { max, min } from "../ops/reduce.ts";
import type { Tensor } from "../tensor.ts";
import type { Expansion } from "./expansion.ts";
import { computed, layoutOf } from "./strided-view.ts";
import { starts } from "./sums.ts";
import { longestShort } from "./unit.ts";

const isShort = (extent: number) => extent > 0 && extent <= longestShort;

/** The position of the extreme of a short axis: the first position that attains it. */
export function position(node: NodeOf<"argmax" | "argmin">): Expansion | undefined {
  const { axis } = node.attributes;
  const [{ shape, dtype }] = node.inputs;
  const n = shape[axis];
  if (!isShort(n)) return undefined;
  const largest = node.op === "argmax";
  const worst = starts[largest ? "max" : "min"](dtype as "f32");
  const write = (x: Tensor) => {
    const at = iota(shape, axis);
    // A NaN never replaces an earlier value, and nothing replaces a NaN at the start.
    const y = dtype === "f32" ? where(and(ne(x, x), gt(at, 0)), worst, x) : x;
    const best = (largest ? max : min)(y, { axis, keepDims: true });
    const first = min(where(eq(y, broadcastTo(best, shape)), at, n), axis);
    return where(eq(first, n), 0, first);
  };
  return { from: node.inputs, write };
}

/** One element of each row of a short axis, as the maximum of the row with all other elements masked. */
export function choice(node: NodeOf<"gather">): Expansion | undefined {
  const { axis } = node.attributes;
  const [{ shape, dtype }, indices] = node.inputs;
  if (!isShort(shape[axis]) || indices.shape[axis] !== 1) return undefined;
  if (dtype === "bool" || dtype === "u8" || !computed(layoutOf(node.inputs[0]).base)) return undefined;
  const write = (x: Tensor, i: Tensor) =>
    max(where(chosen(i, shape, axis), x, starts.max(dtype)), { axis, keepDims: true });
  return { from: node.inputs, write };
}

/** Zeros except for one element of each row of a short axis, or, with `long`, of any. */
export function oneAdded(node: NodeOf<"scatterAdd">, long: boolean): Expansion | undefined {
  const { axis } = node.attributes;
  const { shape } = node;
  if (!(long || isShort(shape[axis])) || node.inputs[1].shape[axis] !== 1) return undefined;
  // Adding to zero turns -0 into 0.
  const write = (i: Tensor, source: Tensor) =>
    where(chosen(i, shape, axis), broadcastTo(add(source, 0), shape), 0);
  return { from: node.inputs, write };
}

/** True where the position along the axis equals the index, which is clamped as in a kernel. */
function chosen(indices: Tensor, shape: readonly number[], axis: number): Tensor {
  const inside = minimum(maximum(indices, 0), shape[axis] - 1);
  return eq(iota(shape, axis), broadcastTo(inside, shape));
}
