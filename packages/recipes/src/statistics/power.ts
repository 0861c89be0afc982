import { estimate, normalQuantile } from "@reins/core";

/** How many replicates tell an effect of `smallest` from none in 80 of 100 measurements, where effects have this spread. */
export function replicatesFor(spread: number, smallest: number): number {
  const needed = ((normalQuantile(0.975) + normalQuantile(0.8)) * spread) / smallest;
  // Student's t asks for about two more than the normal distribution does.
  return spread > 0 ? Math.ceil(needed ** 2 + 2) : 2;
}

/** The standard deviation of a sample. */
export function spreadOf(samples: readonly number[]): number {
  return estimate(samples).std;
}
