import { fail } from "@reins/core";
import type { Metric, Outcome } from "./outcome.ts";

/**
 * What is claimed of the system. `smallest` is the smallest effect worth calling one; `direction` says to which side the
 * system is claimed to move the metric, where that is not the better one (a published negative result).
 */
export type Claim =
  | { readonly kind: "difference"; readonly smallest: number; readonly direction?: "higher" | "lower" }
  /** The system's value over the baseline's (the other way round where lower is better); `smallest` is above 1. */
  | { readonly kind: "ratio"; readonly smallest: number; readonly direction?: "higher" | "lower" }
  /** The system is worse by less than the margin. */
  | { readonly kind: "no-worse"; readonly margin: number }
  /** The metric's slope over levels, the system's less the baseline's. */
  | {
      readonly kind: "slope";
      readonly over: readonly number[];
      readonly smallest: number;
      readonly direction?: "higher" | "lower";
    }
  /** An identity or a bound: the system's value is by how much it is violated, at most `tolerance` for every seed. */
  | { readonly kind: "holds"; readonly tolerance: number }
  /** A guarantee: the system's value never falls below its bound, and the bound beats the baseline's value. */
  | { readonly kind: "certificate"; readonly smallest: number };

/** How the sides compare at one seed: positive numbers are on the claimed side. */
export function effectOf(claim: Claim, metric: Metric, baseline: Outcome, system: Outcome): number {
  const towards = "direction" in claim && claim.direction ? claim.direction : metric.better;
  const sign = towards === "higher" ? 1 : -1;
  switch (claim.kind) {
    case "difference":
    case "no-worse":
      return sign * (system.value - baseline.value);
    case "ratio":
      if (!(system.value > 0 && baseline.value > 0))
        fail("ratio", `values must be above 0, not ${baseline.value} and ${system.value}.`);
      return sign * Math.log(system.value / baseline.value);
    case "slope":
      return sign * (slope(claim.over, system.series) - slope(claim.over, baseline.series));
    case "holds":
      return claim.tolerance - system.value;
    case "certificate":
      return (system.bound ?? Number.NEGATIVE_INFINITY) - baseline.value;
  }
}

/** The slope of the straight line that fits best. */
export function slope(x: readonly number[], y: readonly number[] | undefined): number {
  if (y?.length !== x.length)
    fail("slope", `each side must give a series of ${x.length} numbers, one for each level.`);
  const mean = (v: readonly number[]) => v.reduce((a, b) => a + b, 0) / v.length;
  const [mx, my] = [mean(x), mean(y)];
  const [top, bottom] = x.reduce(
    ([t, b], xi, i) => [t + (xi - mx) * (y[i] - my), b + (xi - mx) ** 2],
    [0, 0],
  );
  return top / bottom;
}
