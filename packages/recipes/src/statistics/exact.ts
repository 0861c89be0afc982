import { fail, leastProbability } from "@reins/core";
import type { Interval } from "./interval.ts";

/**
 * An interval for the mean of effects that are -1, 0 or 1, such as differences of two outcomes that are 0 or 1: exact bounds for the share
 * of each sign (Clopper and Pearson, 1934), each wrong in at most half of 5%. It never covers less often than it says.
 */
export function exactInterval(effects: readonly number[]): Interval {
  const n = effects.length;
  const [up, down] = [1, -1].map((sign) => effects.filter((e) => e === sign).length);
  if (effects.some((e) => e !== 0 && e !== 1 && e !== -1))
    fail("exact intervals", "effects must be -1, 0 or 1. Take the interval bca.");
  // Two shares with two bounds each: a quarter of 5% for every bound.
  const tail = 0.0125;
  const [gains, losses] = [up, down].map((count) => shareBounds(count, n, tail));
  return {
    estimate: (up - down) / n,
    low: Math.max(-1, gains.low - losses.high),
    high: Math.min(1, gains.high - losses.low),
    method: "exact",
  };
}

/** Bounds of a share of which `count` of `n` were seen, each wrong at most this often. */
const shareBounds = (count: number, n: number, tail: number) => ({
  low: leastProbability(count, n, 1 - tail),
  high: 1 - leastProbability(n - count, n, 1 - tail),
});
