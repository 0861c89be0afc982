import type { NodeOf } from "../graph.ts";
import { reshape } from "../ops/movement.ts";
import { sum } from "../ops/reduce.ts";
import { sizeOf } from "../shape.ts";
import type { Expansion } from "./expansion.ts";

/** Sums with fewer results are split, and results after splitting: enough groups for a large GPU. */
const few = 1024;
/** Minimum number of terms of a part. */
const fewestTerms = 256;

/** A sum of many terms with few results as a sum of sums, so that many groups of threads share it. */
export function splitSum(node: NodeOf<"sum">): Expansion | undefined {
  const [x] = node.inputs;
  const results = sizeOf(node.shape);
  if (x.dtype !== "f32" || results === 0 || results >= few) return undefined;
  const terms = sizeOf(x.shape) / results;
  const axes = [...node.attributes.axes].sort((a, b) => a - b);
  const [axis] = axes;
  const parts = partsOf(x.shape[axis], Math.min(few / results, terms / fewestTerms));
  if (parts === 1) return undefined;
  const rest = axes.slice(1).map((a) => a + 1);
  const split = [...x.shape.slice(0, axis), parts, x.shape[axis] / parts, ...x.shape.slice(axis + 1)];
  return {
    from: node.inputs,
    write: (y) => sum(sum(reshape(y, split), [axis + 1, ...rest]), axis),
  };
}

/** The largest divisor of `extent` that is at most `limit`. */
function partsOf(extent: number, limit: number): number {
  for (let p = Math.min(extent, Math.floor(limit)); p > 1; p--) if (extent % p === 0) return p;
  return 1;
}
