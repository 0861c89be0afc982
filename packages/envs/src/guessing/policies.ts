import { real } from "@reins/tensor";
import type { GuessBelief, GuessingGame } from "./game.ts";

/** Chooses a guess, given the belief. */
export type GuessingPolicy = (belief: GuessBelief) => number;

/** Score of a guess from the sizes of the groups into which it splits a belief: lower is better. */
const measures = {
  /** Remaining bits: the minimum is the greatest information gain. */
  information: (size: number) => (size * real.log(size)) / Math.LN2,
  /** Expected number of remaining secrets. */
  size: (size: number) => size * size,
  /** Minus the number of groups. */
  groups: () => -1,
} as const;

/** A one-step heuristic. */
export type Heuristic = keyof typeof measures;

/** Guesses what splits the belief best; ties go to a possible secret. */
export function bestSplitPolicy(game: GuessingGame, heuristic: Heuristic): GuessingPolicy {
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

/** Total guesses of a policy over all secrets of a belief: the mean times their number. */
export function totalGuesses(game: GuessingGame, guesser: GuessingPolicy): (belief: GuessBelief) => number {
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
 * One-step lookahead with the cost-to-go of a base policy, simulated to the end from every possible next belief:
 * rollout (Bertsekas). It needs no more guesses than its base on average.
 */
export function rollout(game: GuessingGame, base: GuessingPolicy): GuessingPolicy {
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
