import type { TuningDetail, TuningResult } from "../../../src/tuning-wire.ts";

/** A trial as it is shown: one of its results. */
export interface ShownTrial extends TuningResult {
  readonly trial: number;
}

/** Steps after which trials were measured, with how many were, the fewest steps first. */
export function rungsOf({ results }: TuningDetail): { readonly steps: number; readonly trials: number }[] {
  const counts = new Map<number, number>();
  for (const trial of results)
    for (const { steps } of trial.results) counts.set(steps, (counts.get(steps) ?? 0) + 1);
  return [...counts].map(([steps, trials]) => ({ steps, trials })).sort((a, b) => a.steps - b.steps);
}

/** Trials after some steps, or (`last`) each as far as it came; the best first, those without a score last. */
export function shownTrials({ results }: TuningDetail, at: number | "last"): ShownTrial[] {
  return results
    .flatMap(({ trial, results: all }) => {
      const found = at === "last" ? all.at(-1) : all.find(({ steps }) => steps === at);
      return found ? [{ trial, ...found }] : [];
    })
    .sort((a, b) => {
      if (a.score === null || b.score === null) return a.score === b.score ? 0 : a.score === null ? 1 : -1;
      return b.score - a.score || a.trial - b.trial;
    });
}

/** Where scores lie between the lowest and the highest, from 0 to 1; undefined for trials without one. */
export function scoreScale(trials: readonly ShownTrial[]) {
  const scores = trials.flatMap(({ score }) => (score === null ? [] : score));
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  const place = (score: number | null) =>
    score === null ? undefined : high > low ? (score - low) / (high - low) : 0.5;
  return { low, high, place };
}
