import type { Roles } from "../claims/effects.ts";
import { judge } from "../claims/judge.ts";
import { mean, type Table } from "../claims/table.ts";
import { pointsOf, type Settings } from "../grid.ts";
import { armsOf, type Recipe, tunedArms } from "../recipe.ts";
import { named } from "./claimed-sides.ts";
import { minutesOf, type Plan, planFor } from "./plan.ts";
import { type Block, blockOf, tableOf } from "./record.ts";
import type { Job, Runner, StoredOutcome } from "./trial.ts";
import { firstTuningSeed, isBetter, type TuningRecord, tune, tunedMetric, tuningJobs } from "./tuning.ts";

/** What is fixed before any evaluation seed runs. */
export interface Preparation {
  /** Settings of each arm, in the order of the arms. */
  readonly settings: readonly Settings[];
  readonly tuning: readonly TuningRecord[];
  /** The baseline that is best on tuning seeds, by metric. */
  readonly best?: { readonly [metric: string]: string };
  readonly plan: Plan;
  /** Tuning runs of the arms as tuned: a testbed records them. */
  readonly pilot?: Block;
}

/** Pilot seeds for a plan, and the share of a block's time that additional ones may take. */
const pilots = { least: 10, most: 40, share: 0.2 };
/** The arms behind the names of a recipe's claims. */
export const rolesOf = (recipe: Recipe, best?: Preparation["best"]): Roles => ({
  system: recipe.system.name,
  baselines: recipe.baselines.map((b) => b.name),
  best,
  metrics: recipe.metrics,
  tuned: tunedMetric(recipe),
});

/** Tunes, and plans how many replicates a block needs. Arms of a testbed are already tuned. */
export async function prepare(
  recipe: Recipe,
  run: Runner,
  done: readonly TuningRecord[] = [],
): Promise<Preparation> {
  const points = tunedArms(recipe).map(({ grid = recipe.grid ?? {} }) => pointsOf(grid));
  const tuning = points[0].length > 1 ? await tune(recipe, run, done) : [];
  const settings = settingsOf(recipe, tuning);
  if (recipe.exact) return { settings, tuning, plan: { replicates: 1, needed: 1, spread: 0 } };
  const isSuite = typeof recipe.replicates === "object";
  const sides = armsOf(recipe)
    .map((_, i) => i)
    .filter((i) => i < points.length || named(recipe, i));
  const jobs: Job[] = [];
  const outcomes: StoredOutcome[] = [];
  const pilotRuns = async (from: number, to: number) => {
    const more = Array.from({ length: to - from }, (_, s) => from + s).flatMap((s) =>
      sides.flatMap((side) => tuningJobs(recipe, side, settings[side], s)),
    );
    outcomes.push(...(await run(more)));
    jobs.push(...more);
  };
  await pilotRuns(0, isSuite ? 1 : recipe.bed ? pilots.most : pilots.least);
  // A failure in one of ten runs is not seen in ten runs, so cheap recipes have more pilots.
  const spent = outcomes.reduce((sum, o) => sum + o.seconds, 0);
  const affordable = Math.floor(
    (pilots.least * pilots.share * minutesOf(recipe) * 60) / Math.max(spent, 1e-3),
  );
  if (!isSuite && !recipe.bed && affordable > pilots.least)
    await pilotRuns(pilots.least, Math.min(affordable, pilots.most));
  const block = blockOf(recipe, firstTuningSeed, jobs, outcomes);
  const pilot = tableOf(block);
  const best = bestBaselines(recipe, pilot);
  // A claim that cannot be judged must fail before an evaluation seed is used.
  for (const claim of recipe.claims) judge(claim, rolesOf(recipe, best), pilot);
  // An arm is evaluated once as tuned, and once per rival.
  const runsOf = (side: number) => 1 + (tuning[side]?.rivals?.length ?? 0);
  const seeds = [...new Set(jobs.map((j) => j.seed))];
  const seconds = seeds.map((seed) =>
    outcomes.reduce((sum, o, i) => sum + (jobs[i].seed === seed ? o.seconds * runsOf(jobs[i].side) : 0), 0),
  );
  const plan = planFor(recipe, rolesOf(recipe, best), pilot, seconds);
  return { settings, tuning, best, plan, ...(recipe.bed && { pilot: block }) };
}

/** The baseline with the best mean, by metric. */
function bestBaselines({ baselines, metrics }: Recipe, pilot: Table): Preparation["best"] {
  const best = (metric: string) =>
    baselines
      .map(({ name }) => ({ name, mean: mean(pilot.values[name][metric]) }))
      .reduce((a, b) => (isBetter(b.mean, a.mean, metrics[metric]) ? b : a)).name;
  if (baselines.length === 0) return undefined;
  return Object.fromEntries(Object.keys(metrics).map((metric) => [metric, best(metric)]));
}

/** The first point of each grid, for quick trials. */
export const quickPreparation = (recipe: Recipe): Preparation => ({
  settings: settingsOf(recipe, []),
  tuning: [],
  plan: { replicates: typeof recipe.replicates === "object" ? 1 : 2, needed: 2, spread: 0 },
});

/** The settings of each arm: its tuned point, or the first of its grid; ablations have the system's. */
function settingsOf(recipe: Recipe, tuning: readonly TuningRecord[]): Settings[] {
  const tuned = tunedArms(recipe);
  return armsOf(recipe).map((side, i) => {
    const from = i < tuned.length ? i : 0;
    const { grid = recipe.grid ?? {} } = i < tuned.length ? side : recipe.system;
    return tuning[from]?.chosen ?? pointsOf(grid)[0];
  });
}
