import type { Parts } from "@reins/core";

/** A number that may move while it is used, such as a setting at work. */
export interface Moves {
  readonly value: number;
}

/**
 * A search for the vector that earns most: `ask` says what to try, `tell` what came of it. It knows nothing of policies, and what it draws
 * between the two it need not keep longer.
 */
export interface Strategy {
  /** The best guess so far. */
  readonly centre: Float64Array;
  /** How far members lie from the centre, in a typical weight. */
  readonly spread: number;
  /** Writes the members of the next generation. */
  ask(members: readonly Float64Array[]): void;
  /** What each of them earned, in the same order. More is better. */
  tell(returns: Float64Array): void;
  /** What lasts from generation to generation. */
  readonly parts: Parts;
}

/** Members from the best to the worst; of equals the first one comes first. */
export function fromBest(returns: Float64Array): number[] {
  return Array.from(returns.keys()).sort((a, b) => returns[b] - returns[a] || a - b);
}

/** Ranks instead of returns, evenly from -1/2 for the worst to 1/2 for the best: no outlier counts for more. Equals share theirs. */
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

/** Standard deviation of some numbers, which are all there are. */
export function deviationOf(values: ArrayLike<number>): number {
  const mean = meanOf(values);
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += (values[i] - mean) ** 2;
  return Math.sqrt(squares / values.length);
}
