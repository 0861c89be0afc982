import type { Outcome } from "../outcome.ts";
import { type Recipe, type Settings, sidesOf, type Trial } from "../recipe.ts";
import { keep } from "./warm.ts";

/** What one run is told. Plain data: it travels between processes. */
export interface Job {
  /** Position of the side: 0 the baseline, 1 the system, then ablations. */
  readonly side: number;
  readonly seed: number;
  readonly settings: Settings;
  readonly quick: boolean;
}

/** An outcome as it is kept. */
export interface Kept extends Outcome {
  /** Seconds that it took. */
  readonly seconds: number;
  /** Why the run failed, if it did. */
  readonly failed?: string;
}

/** Runs one side once. A run that throws or ends in a number that is none counts as the metric's worst. */
export async function runTrial(recipe: Recipe, job: Job, cache: string): Promise<Kept> {
  const side = sidesOf(recipe)[job.side];
  const { full, quick } = recipe.budget;
  const trial: Trial = {
    seed: job.seed,
    settings: job.settings,
    quick: job.quick,
    budget: job.quick ? quick : full,
    warm: (start) => keep(start, cache),
  };
  const start = performance.now();
  const { worst } = recipe.metric;
  const seconds = () => (performance.now() - start) / 1000;
  try {
    const { value, series, bound, early, used, also } = await side.run(trial);
    const outcome = { value, series, bound, early, used, also };
    if (Number.isFinite(outcome.value)) return { ...outcome, seconds: seconds() };
    return { ...outcome, value: worst, seconds: seconds(), failed: `the value was ${outcome.value}` };
  } catch (error) {
    // A mistake in the recipe must not pass for a run that diverged.
    if (job.quick) throw error;
    const series = recipe.claim.kind === "slope" ? { series: recipe.claim.over.map(() => worst) } : {};
    return {
      value: worst,
      ...series,
      early: [],
      used: 0,
      seconds: seconds(),
      failed: (error as Error).message,
    };
  }
}
