import { meanOf } from "@reins/core";
import { type Plan, type Scored, scored, type Told } from "./search.ts";
import { type Dimension, placeOf } from "./space.ts";

/** How much a setting mattered. */
export interface Mattered {
  readonly dimension: Dimension;
  /**
   * The share of the differences between trials that it explains alone, from 0 to 1; what chance explains is taken off. Undefined where there are too few
   * trials to tell.
   */
  readonly share?: number;
  /** The same of which trials failed; undefined where none did. */
  readonly failing?: number;
}

/** Groups that the values of a setting are put into. */
const most = 5;
/** Trials without which nothing is said: three groups of four, so that a best in the middle is seen. */
const least = 12;

/** The trials to look at: each as far as all of them came. */
export const comparable = (plan: Plan, told: readonly Told[]): Scored[] => {
  const isPopulation = told.some((t) => t.piece.parent !== undefined);
  const all = scored(isPopulation ? { ...plan, seeds: [0] } : plan, told);
  return all.filter((s) => s.rung === 0);
};

/** After how many steps they are looked at. */
export const comparedAt = (plan: Plan, told: readonly Told[]): number =>
  told.find((t) => t.piece.rung === 0)?.piece.to ?? plan.steps;

/**
 * What mattered, the most first: the share of the variance of the trials' ranks that lies between groups of a setting's values (η², corrected for the
 * number of groups). Ranks, because one trial that went very wrong would hide all others. Trials that failed have none, and are looked at apart.
 */
export function mattered(plan: Plan, told: readonly Told[]): Mattered[] {
  const trials = comparable(plan, told);
  const finite = trials.filter((s) => Number.isFinite(s.score));
  const order = finite.map((s) => s.score).sort((a, b) => a - b);
  // Equals have the mean of their ranks.
  const ranks = finite.map(({ score }) => (order.indexOf(score) + order.lastIndexOf(score)) / 2);
  const failures = trials.map((s) => (Number.isFinite(s.score) ? 0 : 1));
  if (finite.length < least) return plan.space.map((dimension) => ({ dimension }));
  return plan.space
    .map((dimension) => ({
      dimension,
      share: shareOf(groupsOf(dimension, finite), ranks),
      ...(finite.length < trials.length && { failing: shareOf(groupsOf(dimension, trials), failures) }),
    }))
    .sort((a, b) => b.share - a.share);
}

/** A setting in words, as in "clip 41%". */
export const matteredText = ({ dimension, share, failing }: Mattered): string =>
  share === undefined
    ? dimension.name
    : `${dimension.name} ${Math.round(100 * share)}%${failing ? `, and ${Math.round(100 * failing)}% of failures` : ""}`;

/** All of them in words. */
export const matteredWords = (all: readonly Mattered[]): string =>
  all.some((m) => m.share === undefined)
    ? `too few trials to tell (${least} are needed)`
    : all.map(matteredText).join("; ");

/** The group of each trial: its choice, or the part of the sorted values that it lies in. */
function groupsOf(dimension: Dimension, trials: readonly Scored[]): number[] {
  const places = trials.map((t) => placeOf(dimension, t.settings[dimension.name]));
  if ("choices" in dimension) return places.map((p) => Math.floor(p * dimension.choices.length));
  const count = Math.max(2, Math.min(most, Math.floor(trials.length / 4)));
  const sorted = [...places].sort((a, b) => a - b);
  return places.map((p) => Math.min(count - 1, Math.floor((sorted.indexOf(p) * count) / places.length)));
}

/** 1 - (1 - η²) (n - 1) / (n - k), not below 0. */
export function shareOf(groups: readonly number[], values: readonly number[]): number {
  const n = values.length;
  const names = [...new Set(groups)];
  if (n <= names.length) return 0;
  const middle = meanOf(values);
  const total = values.reduce((sum, v) => sum + (v - middle) ** 2, 0);
  if (total === 0) return 0;
  const inside = names.reduce((sum, g) => {
    const own = values.filter((_, i) => groups[i] === g);
    const m = meanOf(own);
    return sum + own.reduce((s, v) => s + (v - m) ** 2, 0);
  }, 0);
  return Math.max(0, 1 - (inside / total) * ((n - 1) / (n - names.length)));
}
