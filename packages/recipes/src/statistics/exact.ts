import { fail } from "@reins/core";
import { leastProbability } from "@reins/core/evaluations";
import type { Interval } from "./interval.ts";

/**
 * An interval for the mean of effects that are -1, 0 or 1, such as differences of two binary outcomes: exact bounds for the share
 * of each sign (Clopper and Pearson, 1934), each with an error of at most half of 5%. Its coverage is never below the nominal one.
 */
export function exactInterval(effects: readonly number[]): Interval {
  const n = effects.length;
  const [up, down] = [1, -1].map((sign) => effects.filter((e) => e === sign).length);
  if (effects.some((e) => e !== 0 && e !== 1 && e !== -1))
    fail("exact intervals", "effects must be -1, 0 or 1. Use the method bca.");
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

/** Bounds of a share after `count` of `n`, each with at most this error probability. */
const shareBounds = (count: number, n: number, tail: number) => ({
  low: leastProbability(count, n, 1 - tail),
  high: 1 - leastProbability(n - count, n, 1 - tail),
});
