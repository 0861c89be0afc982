import type { SettingValue } from "../signals/live.ts";
import type { Fragment, Target } from "../target.ts";
import { type GaeOptions, gae } from "./gae.ts";

/**
 * TD(λ) returns (Sutton, 1988): the average of all n-step returns, weighted by λ to the power of n; column `return`. The target of a
 * critic if no advantages are needed.
 */
export function tdLambda(options: GaeOptions): Target<Fragment, "return"> {
  const advantages = gae(options);
  return (s) => ({ return: advantages(s).return });
}

/**
 * Discounted returns to the end of the episode, bootstrapped at the end of the fragment.
 *
 * @experimental
 */
export function discountedReturns({ gamma }: { gamma: SettingValue }): Target<Fragment, "return"> {
  return tdLambda({ gamma, lambda: 1 });
}
