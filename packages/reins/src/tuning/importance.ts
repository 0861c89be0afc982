import { meanOf } from "@reins/core/evaluations";
import { type PieceResult, type ScoredTrial, type SearchPlan, scoredTrials } from "./search.ts";
import { type Dimension, placeOf } from "./space.ts";

/** The importance of a setting. */
export interface Importance {
  readonly dimension: Dimension;
  /**
   * Share of the variance between trials that the setting alone explains, from 0 to 1, corrected for chance. Undefined with too few trials.
   */
  readonly share?: number;
  /** Share of the variance of failures that the setting explains; undefined if no trial failed. */
  readonly failing?: number;
}

/** Maximum number of groups of values. */
const most = 5;
/** Minimum number of trials: three groups of four, so that an optimum in the middle is visible. */
const least = 12;

/** Trials at the first rung, which all of them have reached. */
export const comparableTrials = (plan: SearchPlan, results: readonly PieceResult[]): ScoredTrial[] => {
  const isPopulation = results.some((t) => t.piece.parent !== undefined);
  const all = scoredTrials(isPopulation ? { ...plan, seeds: [0] } : plan, results);
  return all.filter((s) => s.rung === 0);
};

/** Steps of the first rung. */
export const comparedAt = (plan: SearchPlan, results: readonly PieceResult[]): number =>
  results.find((t) => t.piece.rung === 0)?.piece.to ?? plan.steps;

/**
 * The importance of each setting, largest first: the share of the variance of the trials' ranks between groups of a setting's values (η², corrected
 * for the number of groups). Ranks are robust to outliers. Failed trials have no rank and are analysed separately.
 */
export function importances(plan: SearchPlan, results: readonly PieceResult[]): Importance[] {
  const trials = comparableTrials(plan, results);
  const finite = trials.filter((s) => Number.isFinite(s.score));
  const order = finite.map((s) => s.score).sort((a, b) => a - b);
  // Ties get their mean rank.
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

/** The importance of a setting as text: "clip 41%". */
export const importanceText = ({ dimension, share, failing }: Importance): string =>
  share === undefined
    ? dimension.name
    : `${dimension.name} ${Math.round(100 * share)}%${failing ? `, and ${Math.round(100 * failing)}% of failures` : ""}`;

/** All importances as text. */
export const importancesText = (all: readonly Importance[]): string =>
  all.some((m) => m.share === undefined)
    ? `too few trials (at least ${least} are needed)`
    : all.map(importanceText).join("; ");

/** The group of each trial: its choice, or its quantile among the values. */
function groupsOf(dimension: Dimension, trials: readonly ScoredTrial[]): number[] {
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
