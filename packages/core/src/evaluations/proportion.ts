import { real } from "@reins/tensor";
import type { Bounds } from "../evaluation.ts";
import { normalQuantile } from "./normal.ts";

/** 95% confidence interval of a probability after `count` successes in `trials` (Wilson, 1927). It lies within [0, 1]. */
export function proportionInterval(count: number, trials: number): Bounds {
  const z = normalQuantile(0.975);
  const share = count / trials;
  const centre = share + (z * z) / (2 * trials);
  const half = z * Math.sqrt((share * (1 - share)) / trials + (z / (2 * trials)) ** 2);
  const scale = 1 + (z * z) / trials;
  return [
    Math.max(0, Math.min(share, (centre - half) / scale)),
    Math.min(1, Math.max(share, (centre + half) / scale)),
  ];
}

/**
 * Lower confidence bound of a probability after `count` successes in `trials`: the exact bound of
 * Clopper and Pearson (1934).
 */
export function leastProbability(count: number, trials: number, confidence: number): number {
  if (count <= 0) return 0;
  let [low, high] = [0, 1];
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2;
    if (atLeast(count, trials, middle) < 1 - confidence) low = middle;
    else high = middle;
  }
  return low;
}

/** The probability of `count` or more in `trials`. */
function atLeast(count: number, trials: number, p: number): number {
  let log = count * real.log(p) + (trials - count) * real.log1p(-p);
  for (let i = 1; i <= trials - count; i++) log += real.log((count + i) / i);
  let term = real.exp(log);
  let sum = term;
  for (let k = count; k < trials; k++) {
    term *= ((trials - k) / (k + 1)) * (p / (1 - p));
    sum += term;
  }
  return Math.min(1, sum);
}
