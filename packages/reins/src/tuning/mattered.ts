import { type Plan, type Scored, scored, type Told } from "./search.ts";
import { type Dimension, placeOf } from "./space.ts";

/** How much a setting mattered. */
export interface Mattered {
  readonly dimension: Dimension;
  /** The share of the differences between trials that it explains alone, from 0 to 1; what chance explains is taken off. */
  readonly share: number;
}

/** Groups that the values of a setting are put into. */
const most = 5;

/** The trials to look at: each as far as all of them came. */
export const comparable = (plan: Plan, told: readonly Told[]): Scored[] => {
  const isPopulation = told.some((t) => t.piece.parent !== undefined);
  const all = scored(isPopulation ? { ...plan, seeds: [0] } : plan, told);
  return all.filter((s) => s.rung === 0);
};

/**
 * What mattered, the most first: the share of the variance of the trials' ranks that lies between groups of a setting's values (η², corrected for the
 * number of groups). Ranks, because a trial that failed has no score.
 */
export function mattered(plan: Plan, told: readonly Told[]): Mattered[] {
  const trials = comparable(plan, told);
  const order = [...trials].sort((a, b) => a.score - b.score || a.trial - b.trial);
  const rank = (s: Scored) => {
    const alike = order.flatMap((o, i) => (o.score === s.score ? [i] : []));
    return alike.reduce((a, b) => a + b, 0) / alike.length;
  };
  const ranks = trials.map(rank);
  return plan.space
    .map((dimension) => ({ dimension, share: shareOf(groupsOf(dimension, trials), ranks) }))
    .sort((a, b) => b.share - a.share);
}

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
  const mean = (list: readonly number[]) => list.reduce((a, b) => a + b, 0) / list.length;
  const middle = mean(values);
  const total = values.reduce((sum, v) => sum + (v - middle) ** 2, 0);
  if (total === 0) return 0;
  const inside = names.reduce((sum, g) => {
    const own = values.filter((_, i) => groups[i] === g);
    const m = mean(own);
    return sum + own.reduce((s, v) => s + (v - m) ** 2, 0);
  }, 0);
  return Math.max(0, 1 - (inside / total) * ((n - 1) / (n - names.length)));
}
