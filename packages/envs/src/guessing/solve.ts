import type { GuessBelief, GuessingGame } from "./game.ts";

/**
 * Minimum total guesses over all secrets of a belief, by dynamic programming over beliefs. Guesses are tried in
 * order of their lower bound: of n secrets one may be hit at once and the others take at least two guesses.
 */
export function optimalGuesses(game: GuessingGame): number {
  const known = new Map<string, number>();
  const atLeast = (size: number) => 2 * size - 1;

  function solve(belief: GuessBelief): number {
    const n = belief.length;
    if (n <= 2) return atLeast(n);
    const key = belief.join();
    const before = known.get(key);
    if (before !== undefined) return before;
    // At least two guesses for each secret except the one that is hit. The hit secret's group counts 1 in the sum:
    // it is subtracted.
    const bounds = Array.from({ length: game.guesses }, (_, g) => ({
      guess: g,
      bound: n + game.sumOverGroups(belief, g, atLeast) - (belief.includes(g) ? 1 : 0),
    })).sort((a, b) => a.bound - b.bound);
    let least = Number.POSITIVE_INFINITY;
    for (const { guess, bound } of bounds) {
      if (bound >= least) break;
      const groups = game.split(belief, guess);
      if (groups.length === 1 && groups[0].length === n) continue;
      let sum = bound;
      for (const group of groups) if ((sum += solve(group) - atLeast(group.length)) >= least) break;
      least = Math.min(least, sum);
    }
    known.set(key, least);
    return least;
  }
  return solve(game.start);
}
