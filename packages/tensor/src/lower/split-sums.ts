import type { NodeOf } from "../graph.ts";
import { reshape } from "../ops/movement.ts";
import { sum } from "../ops/reduce.ts";
import { sizeOf } from "../shape.ts";
import type { Expansion } from "./expansion.ts";

/** Groups of threads that keep a large GPU busy, where a group computes a row's sum, and where it computes `columns` sums. */
const enough = 256;
const columns = 256;
/** Minimum number of terms of a part, likewise. */
const fewestTerms = 256;
const fewestRows = 32;
/** Number of terms up to which one group of threads computes a row's sum sooner than a second kernel begins. */
const shortSum = 16384;

/** A sum of many terms with few results as a sum of sums, so that many groups of threads share it. */
export function splitSum(node: NodeOf<"sum">): Expansion | undefined {
  const [x] = node.inputs;
  const { shape } = x;
  const axes = [...node.attributes.axes].sort((a, b) => a - b);
  const [first, last] = [axes[0], axes[axes.length - 1]];
  // Adjacent axes are one.
  if (x.dtype !== "f32" || sizeOf(shape) === 0 || last - first + 1 !== axes.length) return undefined;
  const product = (list: readonly number[]) => list.reduce((n, d) => n * d, 1);
  const [before, terms, after] = [
    product(shape.slice(0, first)),
    product(shape.slice(first, last + 1)),
    product(shape.slice(last + 1)),
  ];
  const groups = before * Math.ceil(after / columns);
  const limit = Math.min(4 * (enough / groups), terms / (after === 1 ? fewestTerms : fewestRows));
  const short = after === 1 && terms <= shortSum;
  const parts = groups >= enough || short ? 1 : partsOf(terms, limit);
  if (parts === 1) return undefined;
  const split = [...shape.slice(0, first), parts, terms / parts, ...shape.slice(last + 1)];
  return { from: node.inputs, write: (y) => sum(sum(reshape(y, split), first + 1), first) };
}

/** The largest divisor of `extent` that is at most `limit`. */
export function partsOf(extent: number, limit: number): number {
  for (let p = Math.min(extent, Math.floor(limit)); p > 1; p--) if (extent % p === 0) return p;
  return 1;
}
