import { estimate, normalQuantile } from "@reins/core/evaluations";

/** Replicates for 80% power to detect an effect of `smallest`, given the standard deviation of effects. */
export function replicatesFor(spread: number, smallest: number): number {
  const needed = ((normalQuantile(0.975) + normalQuantile(0.8)) * spread) / smallest;
  // Student's t needs about two more than the normal distribution.
  return spread > 0 ? Math.ceil(needed ** 2 + 2) : 2;
}

/** The standard deviation of a sample. */
export function spreadOf(samples: readonly number[]): number {
  return estimate(samples).std;
}
