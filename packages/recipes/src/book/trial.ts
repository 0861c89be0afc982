import { fail, ReinsError } from "@reins/core";
import { backendInUse } from "@reins/tensor";
import { simplesOf } from "../claims/claim.ts";
import type { Settings } from "../grid.ts";
import { Diverged, type Metric, type Outcome } from "../outcome.ts";
import { type Recipe, sidesOf, type Trial } from "../recipe.ts";
import { keep } from "./warm.ts";

/** What one run is told. Plain data: it travels between processes. */
export interface Job {
  /** Position of the side: 0 the system, then baselines, then ablations. */
  readonly side: number;
  readonly seed: number;
  /** Which of a suite. */
  readonly replicate?: string;
  /** Which of the runs that a median is taken of, where the clock on the wall counts. */
  readonly turn?: number;
  readonly settings: Settings;
  readonly quick: boolean;
}

/** An outcome as it is kept. */
export interface Kept extends Outcome {
  /** Seconds of a core that it took. */
  readonly seconds: number;
  /** The back end that computed it. */
  readonly backend: string;
  /** How the run diverged, if it did. */
  readonly failed?: string;
  /** The warm starts that it began with, by name and digest. */
  readonly warm?: { readonly [name: string]: string };
}

/** Runs jobs, in whatever order and wherever it likes; outcomes come back in the order of the jobs. */
export type Runner = (jobs: readonly Job[]) => Promise<readonly Kept[]>;

/** What a run is called in words. */
export const whereOf = (recipe: Recipe, { side, seed }: Job): string =>
  `${recipe.id}, ${sidesOf(recipe)[side].name}, seed ${seed}`;

/** By how much a run may exceed its budget: rounds are whole. */
const allowance = 1.05;

/**
 * Runs one side once. A run that diverges, by saying so or by a metric that is no number, counts as the worst of it. Everything else that
 * goes wrong is thrown: a mistake must not pass for a run that diverged.
 */
export async function runTrial(recipe: Recipe, job: Job, cache: string): Promise<Kept> {
  const side = sidesOf(recipe)[job.side];
  const { full, quick } = side.budget ?? recipe.budget;
  const warm: Record<string, string> = {};
  const trial: Trial = {
    seed: job.seed,
    replicate: job.replicate ?? `seed ${job.seed}`,
    settings: job.settings,
    quick: job.quick,
    budget: job.quick ? quick : full,
    async warm(start) {
      const { value, digest } = await keep(start, cache);
      warm[start.name] = digest;
      return value;
    },
  };
  const before = process.cpuUsage();
  const rest = () => {
    const { user, system } = process.cpuUsage(before);
    return {
      seconds: (user + system) / 1e6,
      backend: backendInUse().name,
      ...(Object.keys(warm).length && { warm }),
    };
  };
  const where = whereOf(recipe, job);
  try {
    const { values, early, used } = await side.run(trial);
    if (!(used >= 0)) fail(where, `it used ${used} ${recipe.budget.unit}. Give the number that it used.`);
    if (!job.quick && used > allowance * full)
      fail(
        where,
        `it used ${used} ${recipe.budget.unit} of ${full}. Give every side its budget, and keep to it.`,
      );
    const lost: string[] = [];
    const checked = { ...values };
    for (const [name, metric] of Object.entries(recipe.metrics))
      checked[name] = checkedValue(name, metric, inTime(recipe, name, values[name]), where, lost);
    return { values: checked, early, used, ...rest(), ...(lost.length && { failed: lost.join(", ") }) };
  } catch (error) {
    if (!(error instanceof Diverged) || job.quick) {
      if (error instanceof ReinsError && !error.message.startsWith(where))
        error.message = `${where}: ${error.message}`;
      throw error;
    }
    const values = Object.fromEntries(Object.entries(recipe.metrics).map(([name, m]) => [name, m.worst]));
    return { values, early: [], used: 0, ...rest(), failed: error.message };
  }
}

/** A level that is reached in the last round, after the horizon, is never reached: rounds are whole. */
const inTime = ({ claims, metrics }: Recipe, name: string, value: number | undefined) =>
  value !== undefined &&
  value > metrics[name].worst &&
  claims.some((claim) => simplesOf(claim).some((c) => c.kind === "time-to-reach" && c.metric === name))
    ? Number.POSITIVE_INFINITY
    : value;

function checkedValue(
  name: string,
  metric: Metric,
  value: number | undefined,
  where: string,
  lost: string[],
): number {
  if (value === undefined)
    return fail(where, `it gave no ${name}. Every run gives a value for each metric of the recipe.`);
  // What is NaN has diverged; what is a word is a mistake.
  if (typeof value !== "number")
    fail(where, `it gave the ${typeof value} ${value} as ${name}. Give a number.`);
  // A level that was never reached, at the horizon; anything else that is no number is a run that diverged.
  if (value === Number.POSITIVE_INFINITY && metric.better === "lower") return metric.worst;
  if (!Number.isFinite(value)) {
    lost.push(`${name} was ${value}`);
    return metric.worst;
  }
  if (metric.better === "higher" ? value < metric.worst : value > metric.worst)
    fail(where, `${name} was ${value}, worse than metrics.${name}.worst, ${metric.worst}. Correct that.`);
  return value;
}
