import type { TuningDetail, TuningResult } from "@reins/studio/wire";

/** A trial with one of its results. */
export interface TrialRow extends TuningResult {
  readonly trial: number;
}

/** Steps at which trials were evaluated, with the number of trials, in ascending order. */
export function rungsOf({ results }: TuningDetail): { readonly steps: number; readonly trials: number }[] {
  const counts = new Map<number, number>();
  for (const trial of results)
    for (const { steps } of trial.results) counts.set(steps, (counts.get(steps) ?? 0) + 1);
  return [...counts].map(([steps, trials]) => ({ steps, trials })).sort((a, b) => a.steps - b.steps);
}

/** Results of all trials after some steps, or after their last (`last`); the best first, those without a score last. */
export function trialRows({ results }: TuningDetail, at: number | "last"): TrialRow[] {
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

/** Maps scores to 0 to 1 between the lowest and the highest; undefined for trials without a score. */
export function scoreScale(trials: readonly TrialRow[]) {
  const scores = trials.flatMap(({ score }) => (score === null ? [] : score));
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  const place = (score: number | null) =>
    score === null ? undefined : high > low ? (score - low) / (high - low) : 0.5;
  return { low, high, place };
}
