import { fail } from "@reins/core";
import { Diverged, type Metric, type Outcome } from "../outcome.ts";
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
  /** How the run diverged, if it did. */
  readonly failed?: string;
}

/** By how much a run may exceed its budget: rounds are whole. */
const allowance = 1.05;

/**
 * Runs one side once. A run that diverges, by saying so or by a number that is none, counts as the metric's worst. Everything else that
 * goes wrong is thrown: a mistake must not pass for a run that diverged.
 */
export async function runTrial(recipe: Recipe, job: Job, cache: string): Promise<Kept> {
  const side = sidesOf(recipe)[job.side];
  const { full, quick, unit } = recipe.budget;
  const trial: Trial = {
    seed: job.seed,
    settings: job.settings,
    quick: job.quick,
    budget: job.quick ? quick : full,
    warm: (start) => keep(start, cache),
  };
  const before = process.cpuUsage();
  const seconds = () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
  const { metric, claim } = recipe;
  const worst = claim.kind === "slope" ? { series: claim.over.map(() => metric.worst) } : {};
  const lost = (failed: string, used: number, early: readonly number[]): Kept => ({
    value: metric.worst,
    ...worst,
    early,
    used,
    seconds: seconds(),
    failed,
  });
  try {
    const { value, series, bound, early, used, also } = await side.run(trial);
    const where = `${recipe.id}, ${side.name}, seed ${job.seed}`;
    if (!job.quick && used > allowance * full)
      fail(where, `it used ${used} ${unit} of ${full}. Give every side the same budget, and keep to it.`);
    if (!Number.isFinite(value)) return lost(`the value was ${value}`, used, early);
    if (isWorse(value, metric))
      fail(where, `${metric.name} was ${value}, worse than metric.worst, ${metric.worst}. Correct that.`);
    return { value, series, bound, early, used, also, seconds: seconds() };
  } catch (error) {
    if (!(error instanceof Diverged) || job.quick) throw error;
    return lost(error.message, 0, []);
  }
}

const isWorse = (value: number, { better, worst }: Metric) =>
  better === "higher" ? value < worst : value > worst;
