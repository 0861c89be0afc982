import { fail } from "../errors.ts";
import { meanOf } from "./mean.ts";

/**
 * Spearman's rank correlation of two lists of numbers: 1 if they have one order, −1 if opposite ones. Equal numbers have
 * the mean of their ranks. NaN if all numbers of a list are equal.
 */
export function rankCorrelation(x: ArrayLike<number>, y: ArrayLike<number>): number {
  if (x.length !== y.length)
    fail("rankCorrelation", `the lists have ${x.length} and ${y.length} numbers. Pass equally many.`);
  const [a, b] = [ranksOf(x), ranksOf(y)];
  const [meanA, meanB] = [meanOf(a), meanOf(b)];
  let [both, squaresA, squaresB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    both += (a[i] - meanA) * (b[i] - meanB);
    squaresA += (a[i] - meanA) ** 2;
    squaresB += (b[i] - meanB) ** 2;
  }
  return both / Math.sqrt(squaresA * squaresB);
}

/** Ranks from 1; ties have their mean. */
function ranksOf(x: ArrayLike<number>): Float64Array {
  const order = Array.from({ length: x.length }, (_, i) => i).sort((i, j) => x[i] - x[j]);
  const ranks = new Float64Array(x.length);
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && x[order[to]] === x[order[from]]) to++;
    for (let i = from; i < to; i++) ranks[order[i]] = (from + to + 1) / 2;
    from = to;
  }
  return ranks;
}
