import { fail } from "@reins/core";
import { between, beyond, pointsOf, type Settings, samePoint } from "../grid.ts";
import type { Metric } from "../outcome.ts";
import { type Recipe, type Suite, tunedArms } from "../recipe.ts";
import { spreadOf } from "../statistics/power.ts";
import { changed, duplicates, refuseDuplicates, type Tried } from "./duplicates.ts";
import type { Job, Runner, StoredOutcome } from "./trial.ts";

/** The tuning of an arm: the metric for each tried point and each tuning seed. */
export interface TuningRecord {
  readonly side: string;
  readonly points: readonly { readonly settings: Settings; readonly values: readonly number[] }[];
  readonly chosen: Settings;
  /** The next best point, if tuning cannot distinguish it from the chosen one: it is evaluated too, and no claim may depend on the choice. */
  readonly rivals?: readonly Settings[];
  /** Settings whose best value still lies on the edge of the grid. */
  readonly edges?: readonly string[];
}

/** The first seed for tuning; tuning seeds end before the first evaluation seed. */
export const firstTuningSeed = 50;
/** How often a grid is extended by one step. */
const furthest = 2;
/** The best points get seeds up to this number, so that the choice is not the luckiest of many; those of a testbed, on which many recipes rest, get more. */
const finals = { points: 3, seeds: 10, testbed: 40 };
/** Points this near to the best one are its rivals, in standard errors of paired differences (`npm run bench -- verdicts`). */
const near = 2;

/**
 * Tunes the system and each baseline with the same number of distinct points. If the best point lies on an edge, the grid is extended by
 * one step; other arms get a point between two instead, so that all are searched equally. At the end each
 * gets the points halfway to the neighbours of its best. Arms in `done`, those of a testbed, are already tuned.
 */
export async function tune(
  recipe: Recipe,
  run: Runner,
  done: readonly TuningRecord[] = [],
): Promise<TuningRecord[]> {
  const doneOf = (name: string) => done.find((d) => d.side === name);
  const sides = tunedArms(recipe)
    .map(({ name, grid }, side) => ({
      name,
      side,
      tried: pointsOf(grid ?? recipe.grid ?? {}).map((settings): Tried => ({ settings, outcomes: [] })),
    }))
    .filter(({ name }) => !doneOf(name));
  const finalSeeds = recipe.bed ? finals.testbed : finals.seeds;
  const metric = recipe.metrics[tunedMetric(recipe)];
  const score = ({ outcomes }: Tried) => meanOf(recipe, outcomes) * (metric.better === "higher" ? 1 : -1);
  const ranked = (tried: readonly Tried[]) => [...tried].sort((a, b) => score(b) - score(a));
  const fill = (all: readonly { side: number; point: Tried }[], seeds: number) =>
    runSeeds(recipe, run, all, seeds);
  const settle = async () => {
    await fill(
      sides.flatMap(({ side, tried }) => tried.map((point) => ({ side, point }))),
      recipe.tuningSeeds ?? 3,
    );
    // Three runs may be equal by chance if outcomes are counts; ten are not.
    const alike = sides.flatMap(({ side, tried }) =>
      duplicates(tried).flatMap((pair) => pair.map((point) => ({ side, point }))),
    );
    await fill(alike, finalSeeds);
    for (const { name, tried } of sides) refuseDuplicates(recipe.id, name, tried);
    const best = sides.flatMap(({ side, tried }) =>
      ranked(tried)
        .slice(0, finals.points)
        .map((point) => ({ side, point })),
    );
    await fill(best, finalSeeds);
    // Only points with all seeds compete, because three lucky seeds do not make a best point.
    return sides.map(
      ({ tried }) =>
        ranked(tried.filter((t) => t.outcomes.length >= Math.max(...tried.map((u) => u.outcomes.length))))[0],
    );
  };
  let best = await settle();
  for (let step = 0; step < furthest; step++) {
    const wider = sides.map(({ tried }, i) => edgesOf(recipe, best[i], tried));
    const most = Math.max(...wider.map((w) => w.length));
    if (most === 0) break;
    for (const [i, { tried }] of sides.entries()) {
      const more = [...wider[i], ...inside(best[i], tried)].slice(0, most);
      tried.push(...more.map((settings) => ({ settings, outcomes: [] })));
    }
    best = await settle();
  }
  // An arm whose best lies between two points of its grid would be at a disadvantage, so every arm is refined halfway to the neighbours.
  const finer = sides.map(({ tried }, i) => inside(best[i], tried));
  const most = Math.max(...finer.map((f) => f.length));
  for (const [i, { tried }] of sides.entries()) {
    const more = [...finer[i], ...ranked(tried).flatMap((t) => inside(t, tried))];
    const distinct = more.filter((p, at) => more.findIndex((q) => samePoint(p, q)) === at);
    tried.push(...distinct.slice(0, most).map((settings) => ({ settings, outcomes: [] })));
  }
  if (most > 0) best = await settle();
  const tuned = sides.map(({ name, tried }, i): TuningRecord => {
    const edges = edgesOf(recipe, best[i], tried).map((p) => changed(p, best[i].settings));
    const rivals = ranked(tried.filter((t) => isRival(recipe, t, best[i]))).slice(0, 1);
    return {
      side: name,
      points: tried.map(({ settings, outcomes }) => ({ settings, values: valuesOf(recipe, outcomes) })),
      chosen: best[i].settings,
      ...(rivals.length && { rivals: rivals.map((t) => t.settings) }),
      ...(edges.length && { edges }),
    };
  });
  for (const { side, points } of tuned)
    for (const { side: other, points: theirs } of done)
      if (points.length > theirs.length)
        fail(
          `recipe ${recipe.id}`,
          `rule equal-tuning: ${side} was tuned over ${points.length} points, but ${other} of the testbed over ${theirs.length}. Use a smaller grid.`,
        );
  return tunedArms(recipe).map(({ name }) => doneOf(name) ?? tuned.find((t) => t.side === name)!);
}

/** The metric that arms are tuned on. */
export const tunedMetric = (recipe: Recipe): string => recipe.tuneOn ?? Object.keys(recipe.metrics)[0];

/** The jobs of tuning seed number `index`: one, or one per member of a suite. */
export function tuningJobs(recipe: Recipe, side: number, settings: Settings, index: number): Job[] {
  const base = { side, seed: firstTuningSeed + index, settings, quick: false };
  const { replicates } = recipe;
  if (typeof replicates !== "object") return [base];
  return (replicates as Suite).names.map((replicate) => ({ ...base, replicate }));
}

async function runSeeds(
  recipe: Recipe,
  run: Runner,
  all: readonly { side: number; point: Tried }[],
  seeds: number,
) {
  const wanted = all.flatMap(({ side, point }) => {
    const each = tuningJobs(recipe, side, point.settings, 0).length;
    const done = point.outcomes.length / each;
    return Array.from({ length: Math.max(0, seeds - done) }, (_, i) =>
      tuningJobs(recipe, side, point.settings, done + i),
    )
      .flat()
      .map((job) => ({ job, point }));
  });
  const outcomes = await run(wanted.map((w) => w.job));
  for (const [i, { point }] of wanted.entries()) point.outcomes.push(outcomes[i]);
}

const valuesOf = (recipe: Recipe, outcomes: readonly StoredOutcome[]) =>
  outcomes.map((o) => o.values[tunedMetric(recipe)]);
const meanOf = (recipe: Recipe, outcomes: readonly StoredOutcome[]) =>
  valuesOf(recipe, outcomes).reduce((a, b) => a + b, 0) / outcomes.length;

/** New points beyond the edges that the best one lies on. */
function edgesOf(recipe: Recipe, best: Tried, tried: readonly Tried[]): Settings[] {
  const points = tried.map((t) => t.settings);
  return Object.keys(best.settings)
    .flatMap((setting): Settings[] => {
      const p = beyond(best.settings, points, setting, recipe.limits);
      return p ? [p] : [];
    })
    .filter((p) => !points.some((q) => samePoint(p, q)));
}

/** New points between the best one and its neighbours. */
function inside(best: Tried, tried: readonly Tried[]): Settings[] {
  const points = tried.map((t) => t.settings);
  return Object.keys(best.settings)
    .flatMap((setting) => between(best.settings, points, setting))
    .filter((p) => !points.some((q) => samePoint(p, q)));
}

/** Whether a point with all seeds may be as good as the best one. */
function isRival(recipe: Recipe, point: Tried, best: Tried): boolean {
  if (point === best || point.outcomes.length < best.outcomes.length) return false;
  const [a, b] = [best, point].map((t) => valuesOf(recipe, t.outcomes));
  const apart = a.map((v, i) => v - b[i]);
  const distance = Math.abs(apart.reduce((x, y) => x + y, 0)) / apart.length;
  return distance <= (near * spreadOf(apart)) / Math.sqrt(apart.length);
}

/** Whether the first mean is better. */
export const isBetter = (a: number, b: number, { better }: Metric): boolean =>
  better === "higher" ? a > b : a < b;
