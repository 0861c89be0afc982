import type { Parts } from "@reins/core";

/** A number that may change during use, such as a live setting. */
export interface Moves {
  readonly value: number;
}

/**
 * An ask-and-tell search for the vector with the highest return. It is independent of policies, and need not keep
 * its samples after `tell`.
 */
export interface Strategy {
  /** The current estimate. */
  readonly centre: Float64Array;
  /** Standard deviation of the members around the centre, for a typical weight. */
  readonly spread: number;
  /** Writes the members of the next generation. */
  ask(members: readonly Float64Array[]): void;
  /** Reports the return of each member, in the same order. Higher is better. */
  tell(returns: Float64Array): void;
  /** State for checkpoints. */
  readonly parts: Parts;
}

/** Members from the best to the worst; ties in order of index. */
export function fromBest(returns: Float64Array): number[] {
  return Array.from(returns.keys()).sort((a, b) => returns[b] - returns[a] || a - b);
}

/**
 * Centred ranks instead of returns, evenly from -1/2 for the worst to 1/2 for the best, against outliers. Ties
 * share their mean rank.
 */
export function centredRanks(returns: Float64Array): Float64Array {
  const order = fromBest(returns);
  const ranks = new Float64Array(returns.length);
  const last = Math.max(1, returns.length - 1);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to + 1 < order.length && returns[order[to + 1]] === returns[order[from]]) to++;
    for (let i = from; i <= to; i++) ranks[order[i]] = 0.5 - (from + to) / 2 / last;
    from = to + 1;
  }
  return ranks;
}

/** Mean of some numbers. */
export function meanOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum / values.length;
}

/** Population standard deviation of some numbers. */
export function deviationOf(values: ArrayLike<number>): number {
  const mean = meanOf(values);
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += (values[i] - mean) ** 2;
  return Math.sqrt(squares / values.length);
}
