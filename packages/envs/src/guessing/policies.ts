import { real } from "@reins/tensor";
import type { Belief, GuessingGame } from "./game.ts";

/** Which word to guess, given what is still possible. */
export type Guesser = (belief: Belief) => number;

/** What a guess leaves on average, from the sizes of the groups into which it splits a belief: the lower the better. */
const measures = {
  /** Bits that are still unknown: the lowest is the greatest information gain. */
  information: (size: number) => (size * real.log(size)) / Math.LN2,
  /** Secrets that are still possible. */
  size: (size: number) => size * size,
  /** Minus the number of groups. */
  groups: () => -1,
} as const;

/** A one-step heuristic: by what a guess is chosen. */
export type Heuristic = keyof typeof measures;

/** Guesses what splits the belief best; of equals, a word that may be the secret. */
export function splitting(game: GuessingGame, heuristic: Heuristic): Guesser {
  return (belief) => {
    if (belief.length <= 2) return belief[0];
    const possible = new Set(belief);
    let [best, least] = [0, Number.POSITIVE_INFINITY];
    for (let g = 0; g < game.guesses; g++) {
      const left = game.sumOverGroups(belief, g, measures[heuristic]);
      const gain = least - left;
      if (gain > 1e-9 || (gain > -1e-9 && possible.has(g) && !possible.has(best))) [best, least] = [g, left];
    }
    return best;
  };
}

/** Guesses that a guesser needs for all secrets of a belief together: what it needs on average, times their number. */
export function totalGuesses(game: GuessingGame, guesser: Guesser): (belief: Belief) => number {
  const known = new Map<string, number>();
  return function total(belief): number {
    const key = belief.join();
    const before = known.get(key);
    if (before !== undefined) return before;
    let sum = belief.length;
    for (const group of game.split(belief, guesser(belief))) sum += total(group);
    known.set(key, sum);
    return sum;
  };
}

/**
 * One-step lookahead whose cost-to-go is that of a base guesser, followed to the end from every belief that may come next: rollout
 * (Bertsekas). It needs no more guesses than its base on average.
 */
export function rollout(game: GuessingGame, base: Guesser): Guesser {
  const toGo = totalGuesses(game, base);
  return (belief) => {
    if (belief.length <= 2) return belief[0];
    let [best, least] = [base(belief), toGo(belief) - belief.length];
    for (let g = 0; g < game.guesses; g++) {
      let sum = 0;
      for (const group of game.split(belief, g)) if ((sum += toGo(group)) >= least) break;
      if (sum < least) [best, least] = [g, sum];
    }
    return best;
  };
}
