import type { Metric } from "./outcome.ts";
import type { Choice, Grid, Settings } from "./recipe.ts";

/** All points of a grid, the first value of each setting first. */
export function pointsOf(grid: Grid): Settings[] {
  return Object.entries(grid).reduce<Record<string, Choice>[]>(
    (points, [name, values]) => points.flatMap((p) => values.map((v) => ({ ...p, [name]: v }))),
    [{}],
  );
}

/** The position of the best mean; the first of equals. */
export function bestOf(values: readonly (readonly number[])[], metric: Metric): number {
  const sign = metric.better === "higher" ? 1 : -1;
  const means = values.map((v) => (sign * v.reduce((a, b) => a + b, 0)) / v.length);
  return means.indexOf(Math.max(...means));
}
