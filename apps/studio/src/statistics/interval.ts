import type { RunLine } from "@reins/studio/wire";
import { short } from "../format.ts";
import { boundsOf, type Range, summary } from "./resample.ts";

/** A mean with its 95% confidence interval. */
export interface Interval {
  readonly n: number;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** The mean of values with Student's 95% interval, clipped to the bounds of the values. */
export function intervalOf(values: readonly number[], range?: Range): Interval {
  const found = summary(values);
  const [low, high] = boundsOf(found, range);
  return { n: values.length, mean: found.mean, low, high };
}

/** An interval with its label: `95% CI [70.3, 170]`. */
export const intervalText = ({ low, high }: Pick<Interval, "low" | "high">): string =>
  `95% CI [${short(low)}, ${short(high)}]`;

/** One value per seed: repeated runs with the same settings and seed count once. */
export function seedValues<T extends Pick<RunLine, "group" | "seed">>(
  runs: readonly T[],
  valueOf: (run: T) => number | null | undefined,
): number[] {
  const seeds = new Map<string, number[]>();
  for (const run of runs) {
    const value = valueOf(run);
    if (value === null || value === undefined || !Number.isFinite(value)) continue;
    const key = `${run.group} ${run.seed}`;
    seeds.set(key, [...(seeds.get(key) ?? []), value]);
  }
  return [...seeds.values()].map((values) => values.reduce((a, b) => a + b, 0) / values.length);
}

/** The score of a run: the evaluation return, or the training return if it was not evaluated. */
export const scoreOf = ({ fresh, return: training }: Pick<RunLine, "fresh" | "return">): number | null =>
  fresh ?? training;
