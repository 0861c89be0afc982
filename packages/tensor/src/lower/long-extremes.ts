import type { NodeOf } from "../graph.ts";
import { add, and, eq, gt, mul, ne, where } from "../ops/arithmetic.ts";
import { broadcastTo, iota, reshape } from "../ops/movement.ts";
import { max, min } from "../ops/reduce.ts";
import type { Tensor } from "../tensor.ts";
import type { Expansion } from "./expansion.ts";
import { partsOf } from "./split-sums.ts";
import { starts } from "./sums.ts";

/** Minimum number of elements of a part, which a group of threads searches. */
const fewest = 1024;

/**
 * The position of the extreme of a long last axis, on devices: a group of threads finds the extreme of a part of a row and its first
 * position, then the first of the best parts wins. Only comparisons, so any division gives the same position.
 */
export function longPosition(node: NodeOf<"argmax" | "argmin">): Expansion | undefined {
  const { axis } = node.attributes;
  const [{ shape, dtype }] = node.inputs;
  const n = shape[axis];
  if (axis !== shape.length - 1 || n === 0) return undefined;
  const extreme = node.op === "argmax" ? max : min;
  const worst = starts[node.op === "argmax" ? "max" : "min"](dtype as "f32");
  const parts = partsOf(n, n / fewest);
  const split = [...shape.slice(0, axis), parts, n / parts];
  /** The best of the last axis, and the least `at` that attains it: n where a NaN is the best. */
  const firstOf = (values: Tensor, at: Tensor) => {
    const best = extreme(values, { axis: -1, keepDims: true });
    const attained = eq(values, broadcastTo(best, values.shape));
    return [reshape(best, values.shape.slice(0, -1)), min(where(attained, at, n), -1)] as const;
  };
  const write = (x: Tensor) => {
    const at = add(mul(iota(split, axis), n / parts), iota(split, axis + 1));
    const y = reshape(x, split);
    // A NaN never replaces an earlier value, and nothing replaces a NaN at the start.
    const known = dtype === "f32" ? where(and(ne(y, y), gt(at, 0)), worst, y) : y;
    const [best, position] = firstOf(known, at);
    const first = parts === 1 ? reshape(position, shape.slice(0, -1)) : firstOf(best, position)[1];
    return where(eq(first, n), 0, first);
  };
  return { from: node.inputs, write };
}
