import type { PairMeasures } from "@reins/core";
import { deviationOf } from "./aggregation.ts";

/** Bins of the expected calibration error, over probabilities from ½ to 1. */
const bins = 10;

/** Rewards of the preferred text of a pair and of the other one, by each head of the model. */
export interface ScoredPair {
  readonly chosen: ArrayLike<number>;
  readonly rejected: ArrayLike<number>;
}

/** The margin of each pair: the difference of the mean rewards of the heads. */
export const marginsOf = (pairs: readonly ScoredPair[]): number[] =>
  pairs.map((pair) => mean(headMargins(pair)));

/** 1 for a pair in the right order, ½ for a tie, 0 for the wrong order. */
export const orderOf = (margin: number): number => (1 + Math.sign(margin)) / 2;

/** How well rewards agree with preferences; NaN without pairs. */
export function pairMeasures(pairs: readonly ScoredPair[]): PairMeasures {
  const margins = marginsOf(pairs);
  return {
    accuracy: mean(margins.map(orderOf)),
    loss: mean(margins.map((m) => softplus(-m))),
    margin: mean(margins),
    calibration: calibrationOf(margins),
    brier: mean(margins.map((m) => sigmoid(-m) ** 2)),
    ...((pairs[0]?.chosen.length ?? 1) > 1
      ? { disagreement: mean(pairs.map((pair) => deviationOf(headMargins(pair)))) }
      : {}),
  };
}

/** The gap between the probability of the more probable order and how often it is right, weighted by the pairs of each bin. */
function calibrationOf(margins: readonly number[]): number {
  const gaps = new Float64Array(bins);
  for (const margin of margins) {
    const confidence = sigmoid(Math.abs(margin));
    gaps[Math.min(bins - 1, Math.floor((2 * confidence - 1) * bins))] += confidence - orderOf(margin);
  }
  return gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / margins.length;
}

const headMargins = ({ chosen, rejected }: ScoredPair): number[] =>
  Array.from(chosen, (reward, head) => reward - rejected[head]);

const mean = (x: readonly number[]): number => x.reduce((a, b) => a + b, 0) / x.length;
const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
/** log(1 + eˣ) without overflow. */
const softplus = (x: number): number => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
