import { meanOf, normalQuantile } from "@reins/core/evaluations";
import type { Interval } from "./interval.ts";

/** Minimum number of pairs for an interval: four or five are in one order by chance more often than in one of forty cases. */
const fewest = 6;

/**
 * Spearman's rank correlation with its interval on Fisher's scale, with the variance of Bonett and Wright (2000). If one of the two is
 * constant, the interval is unbounded.
 */
export function rankCorrelation(x: readonly number[], y: readonly number[]): Interval {
  const estimate = correlation(ranks(x), ranks(y));
  const isOpen = x.length < fewest || [x, y].some((values) => new Set(values).size < 2);
  const n = x.length;
  const z = Math.atanh(Math.min(Math.max(estimate, -1 + 1e-12), 1 - 1e-12));
  const half = isOpen
    ? Number.POSITIVE_INFINITY
    : normalQuantile(0.975) * Math.sqrt((1 + estimate ** 2 / 2) / (n - 3));
  return { estimate, low: Math.tanh(z - half), high: Math.tanh(z + half), method: "rank" };
}

/** Ranks from 1; ties share their mean rank. */
export function ranks(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  return values.map((v) => (sorted.indexOf(v) + sorted.lastIndexOf(v)) / 2 + 1);
}

function correlation(x: readonly number[], y: readonly number[]): number {
  const [mx, my] = [x, y].map(meanOf);
  let [xy, xx, yy] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    xy += (x[i] - mx) * (y[i] - my);
    xx += (x[i] - mx) ** 2;
    yy += (y[i] - my) ** 2;
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : 0;
}

/** The slope of the least-squares line. */
export function slope(x: readonly number[], y: readonly number[]): number {
  const [mx, my] = [x, y].map(meanOf);
  const [top, bottom] = x.reduce(
    ([t, b], xi, i) => [t + (xi - mx) * (y[i] - my), b + (xi - mx) ** 2],
    [0, 0],
  );
  return top / bottom;
}
