import type { PCG64 } from "./pcg64.ts";

/**
 * Samples an index below `count` with the given probabilities.
 *
 * Running sums are divided by the last one and compared with one random number, in the order in which NumPy's
 * `cumsum` and `searchsorted` round.
 */
export function weightedIndex(bits: PCG64, count: number, p: ArrayLike<number>): number {
  if (p.length !== count) {
    throw new RangeError(`choice: ${p.length} probabilities for ${count} elements. Pass one per element.`);
  }
  let total = 0;
  for (let i = 0; i < count; i++) {
    if (!(p[i] >= 0))
      throw new RangeError(`choice: probability ${i} is ${p[i]}. Probabilities must be 0 or more.`);
    total += p[i];
  }
  // The square root of the precision of p's type: the tolerance for sums of rounded probabilities.
  const tolerance = p instanceof Float32Array ? 3.5e-4 : 1.5e-8;
  if (!(Math.abs(total - 1) <= tolerance)) {
    throw new RangeError(`choice: the probabilities sum to ${total}. Divide them by their sum.`);
  }
  const u = bits.nextDouble();
  let sum = 0;
  for (let i = 0; i < count - 1; i++) {
    sum += p[i];
    if (sum / total > u) return i;
  }
  return count - 1;
}
