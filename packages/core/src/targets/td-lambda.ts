import type { Adjustable } from "../signals/live.ts";
import type { Stretch, Target } from "../target.ts";
import { type GaeOptions, gae } from "./gae.ts";

/**
 * TD(λ) returns (Sutton, 1988): the average of all n-step returns, weighted by λ to the power of n; column `return`. It is what a
 * critic learns towards where nobody needs advantages.
 */
export function tdLambda(options: GaeOptions): Target<Stretch, "return"> {
  const advantages = gae(options);
  return (s) => ({ return: advantages(s).return });
}

/** Discounted sums of rewards to the end of the episode, bootstrapped where the stretch was cut. */
export function discountedReturns({ gamma }: { gamma: Adjustable }): Target<Stretch, "return"> {
  return tdLambda({ gamma, lambda: 1 });
}
