import { estimate, normalQuantile } from "@reins/core/evaluations";

/** Replicates for 80% power to detect an effect of `smallest`, given the standard deviation of effects. */
export function replicatesFor(spread: number, smallest: number): number {
  const needed = ((normalQuantile(0.975) + normalQuantile(0.8)) * spread) / smallest;
  // Student's t needs about two more than the normal distribution.
  return spread > 0 ? Math.ceil(needed ** 2 + 2) : 2;
}

/**
 * The upper 80% limit of a standard deviation that was estimated from n samples: a plan by the estimate itself has too
 * few replicates in half of all cases. The χ² quantile is Wilson and Hilferty's (1931).
 */
export function upperSpread(spread: number, n: number): number {
  const degrees = n - 1;
  if (degrees < 1) return spread;
  const part = 2 / (9 * degrees);
  const quantile = degrees * (1 - part + normalQuantile(0.2) * Math.sqrt(part)) ** 3;
  return spread * Math.sqrt(degrees / quantile);
}

/** The standard deviation of a sample. */
export function spreadOf(samples: readonly number[]): number {
  return estimate(samples).std;
}
