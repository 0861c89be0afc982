import { fail } from "@reins/core";
import { bestOf, pointsOf } from "../grid.ts";
import { type Recipe, type Settings, sidesOf } from "../recipe.ts";
import { type Judgement, judge } from "../verdict.ts";
import { type Measured, type SideRecord, sideRecord, type TuningRecord } from "./result.ts";
import type { Job, Kept } from "./trial.ts";

/** Runs jobs, in whatever order and wherever it likes; outcomes come back in the order of the jobs. */
export type Runner = (jobs: readonly Job[]) => Promise<readonly Kept[]>;

/** What the protocol found. */
export interface Finding {
  readonly judgement: Judgement;
  readonly measured: Measured;
  readonly sides: readonly SideRecord[];
  readonly tuning: readonly TuningRecord[];
  readonly used: number;
  /** Numbers from the first updates of each side, for each seed. */
  readonly early: readonly (readonly (readonly number[])[])[];
}

/** Settings of {@link measure}. */
export interface MeasureOptions {
  readonly seeds?: number;
  readonly firstSeed?: number;
  readonly quick?: boolean;
  /** Tuning that was done before: it is not done again. */
  readonly tuned?: readonly TuningRecord[];
}

/** Seeds below are for tuning, seeds from it on for evaluation. */
export const firstEvaluationSeed = 100;

/**
 * The protocol: both sides are tuned on the same grid with seeds below 100, then run with the same evaluation seeds from 100 on,
 * and their paired differences are judged. A quick trial takes the first point of the grid and two seeds.
 */
export async function measure(recipe: Recipe, run: Runner, options: MeasureOptions = {}): Promise<Finding> {
  const { quick = false, firstSeed = firstEvaluationSeed, tuned } = options;
  const count = options.seeds ?? (quick ? 2 : (recipe.seeds ?? 10));
  if (firstSeed < firstEvaluationSeed)
    fail(
      `recipe ${recipe.id}`,
      `seed ${firstSeed} is for tuning. Evaluation seeds begin at ${firstEvaluationSeed}.`,
    );
  const tuning = quick ? [] : (tuned ?? (await tune(recipe, run)));
  const [first] = pointsOf(recipe.grid);
  const chosen = [0, 1].map((i) => (tuning[i] ? bestPoint(recipe, tuning[i]) : first));
  const all = sidesOf(recipe);
  const settings = all.map((_, i) => chosen[Math.min(i, 1)]);
  const seeds = Array.from({ length: count }, (_, i) => firstSeed + i);
  // Seed by seed, so that what an interrupted evaluation has is paired.
  const jobs = seeds.flatMap((seed) =>
    all.map((_, side) => ({ side, seed, settings: settings[side], quick })),
  );
  const outcomes = await run(jobs);
  const bySide = all.map((_, side) => outcomes.filter((_, j) => jobs[j].side === side));
  const judgement = judge(recipe.claim, recipe.metric, bySide[0], bySide[1], recipe.interval);
  const { effects: _, ...interval } = judgement;
  return {
    judgement,
    measured: { firstSeed, seeds: count, ...interval },
    sides: all.map((s, i) => sideRecord(s.name, settings[i], seeds, bySide[i])),
    tuning,
    used: outcomes.reduce((sum, o) => sum + o.used, 0),
    early: bySide.map((list) => list.map((o) => o.early)),
  };
}

/** The point of the grid with the best mean over the tuning seeds. */
export const bestPoint = (recipe: Recipe, { points }: TuningRecord): Settings =>
  points[
    bestOf(
      points.map((p) => p.values),
      recipe.metric,
    )
  ].settings;

/** Runs the grid for both sides. */
async function tune(recipe: Recipe, run: Runner): Promise<TuningRecord[]> {
  const points = pointsOf(recipe.grid);
  if (points.length === 1) return [];
  const seeds = Array.from({ length: recipe.tuningSeeds ?? 3 }, (_, i) => i);
  const jobs = [0, 1].flatMap((side) =>
    points.flatMap((settings) => seeds.map((seed) => ({ side, seed, settings, quick: false }))),
  );
  const outcomes = await run(jobs);
  return [recipe.baseline, recipe.system].map((side, i) => ({
    side: side.name,
    points: points.map((settings, p) => {
      const from = (i * points.length + p) * seeds.length;
      return { settings, values: outcomes.slice(from, from + seeds.length).map((o) => o.value) };
    }),
  }));
}
