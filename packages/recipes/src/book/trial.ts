import { fail, ReinsError } from "@reins/core";
import { currentBackend } from "@reins/tensor";
import { simplesOf } from "../claims/claim.ts";
import type { Settings } from "../grid.ts";
import { DivergedError, type Metric, type Outcome } from "../outcome.ts";
import { armsOf, type Recipe, type Trial } from "../recipe.ts";
import { keep } from "./warm.ts";

/** The description of one run. Plain data, sent between processes. */
export interface Job {
  /** Position of the arm: 0 is the system, then baselines, then ablations. */
  readonly side: number;
  readonly seed: number;
  /** The member of a suite. */
  readonly replicate?: string;
  /** Index of a repeated run, of which the median is taken, if wall-clock time is measured. */
  readonly turn?: number;
  readonly settings: Settings;
  readonly quick: boolean;
}

/** A stored outcome. */
export interface StoredOutcome extends Outcome {
  /** Core seconds. */
  readonly seconds: number;
  /** The back end that computed it. */
  readonly backend: string;
  /** How the run diverged, if it did. */
  readonly failed?: string;
  /** The warm starts that it used, by name and digest. */
  readonly warm?: { readonly [name: string]: string };
}

/** Runs jobs in any order; outcomes are in the order of the jobs. */
export type Runner = (jobs: readonly Job[]) => Promise<readonly StoredOutcome[]>;

/** The name of a run in messages. */
export const whereOf = (recipe: Recipe, { side, seed }: Job): string =>
  `${recipe.id}, ${armsOf(recipe)[side].name}, seed ${seed}`;

/** Factor by which a run may exceed its budget, because rounds are whole. */
const allowance = 1.05;

/**
 * Runs one arm once. A run that diverges, by throwing `DivergedError` or by a metric that is not finite, counts as the worst. Every other
 * error is thrown: a bug must not count as a diverged run.
 */
export async function runTrial(recipe: Recipe, job: Job, cache: string): Promise<StoredOutcome> {
  const side = armsOf(recipe)[job.side];
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
      backend: currentBackend().name,
      ...(Object.keys(warm).length && { warm }),
    };
  };
  const where = whereOf(recipe, job);
  try {
    const { values, early, used } = await side.run(trial);
    if (!(used >= 0))
      fail(where, `the reported use is ${used} ${recipe.budget.unit}. Return the number that was used.`);
    if (!job.quick && used > allowance * full)
      fail(where, `it used ${used} ${recipe.budget.unit} of ${full}. Keep every arm within its budget.`);
    const lost: string[] = [];
    const checked = { ...values };
    for (const [name, metric] of Object.entries(recipe.metrics))
      checked[name] = checkedValue(name, metric, inTime(recipe, name, values[name]), where, lost);
    return { values: checked, early, used, ...rest(), ...(lost.length && { failed: lost.join(", ") }) };
  } catch (error) {
    if (!(error instanceof DivergedError) || job.quick) {
      if (error instanceof ReinsError && !error.message.startsWith(where))
        error.message = `${where}: ${error.message}`;
      throw error;
    }
    const values = Object.fromEntries(Object.entries(recipe.metrics).map(([name, m]) => [name, m.worst]));
    return { values, early: [], used: 0, ...rest(), failed: error.message };
  }
}

/** A level reached in the last round, after the horizon, counts as never reached, because rounds are whole. */
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
    return fail(
      where,
      `it returned no ${name}. Every run must return a value for each metric of the recipe.`,
    );
  // NaN means divergence; another type is a bug.
  if (typeof value !== "number")
    fail(where, `it returned the ${typeof value} ${value} as ${name}. Return a number.`);
  // Infinity is a level that was never reached, at the horizon; other non-finite values mean divergence.
  if (value === Number.POSITIVE_INFINITY && metric.better === "lower") return metric.worst;
  if (!Number.isFinite(value)) {
    lost.push(`${name} was ${value}`);
    return metric.worst;
  }
  if (metric.better === "higher" ? value < metric.worst : value > metric.worst)
    fail(where, `${name} was ${value}, worse than metrics.${name}.worst (${metric.worst}). Correct worst.`);
  return value;
}
