import { defaultRng } from "@reins/core/random";
import { describe, expect, it } from "vitest";
import {
  bestSplitPolicy,
  GuessingGame,
  generateWords,
  optimalGuesses,
  rollout,
  totalGuesses,
  wordle,
  wordleFeedback,
} from "./index.ts";

const written = (guess: string, secret: string) => wordleFeedback(guess, secret).toString(3).padStart(5, "0");

describe("marks", () => {
  it("marks letters in place, elsewhere and absent", () => {
    expect(written("crane", "crane")).toBe("22222");
    expect(written("build", "crane")).toBe("00000");
    expect(written("nacre", "crane")).toBe("11112");
  });

  it("marks a repeated letter at most as often as the secret has it", () => {
    expect(written("geese", "crane")).toBe("00002");
    expect(written("eerie", "crepe")).toBe("10102");
    expect(written("sissy", "basis")).toBe("11200");
    expect(written("allay", "label")).toBe("11100");
    expect(written("llama", "label")).toBe("21100");
  });
});

describe("guessing games", () => {
  it("splits a belief by the answers and drops the secret that was hit", () => {
    const game = wordle(["crane", "crate", "grate", "build"]);
    expect(game.split(game.start, 1)).toEqual([[0], [2], [3]]);
    expect(game.split([1, 2], 3)).toEqual([[1, 2]]);
    expect(game.sumOverGroups([0, 1, 2], 3, (size) => size)).toBe(3);
  });

  it("rejects answers that confuse two secrets", () => {
    expect(() => wordle(["crane", "crane"])).toThrow("as if it were");
  });

  // Eight numbers, answered with lower, right or higher: a balanced tree takes 1 + 2·2 + 3·4 + 4 guesses.
  const numbers = new GuessingGame({
    guesses: 8,
    secrets: 8,
    answers: 3,
    answer: (g, s) => Math.sign(g - s) + 1,
  });

  it("finds the optimum of binary search", () => {
    expect(optimalGuesses(numbers)).toBe(21);
  });

  it("counts the guesses of a policy", () => {
    expect(totalGuesses(numbers, (belief) => belief[0])(numbers.start)).toBe(36);
  });

  it("rollout is at least as good as its base and the optimum at least as good as rollout", () => {
    for (let seed = 0; seed < 5; seed++) {
      const game = wordle(generateWords(defaultRng(seed), 60, 10), 40);
      const base = bestSplitPolicy(game, "information");
      const [heuristic, better] = [base, rollout(game, base)].map((g) => totalGuesses(game, g)(game.start));
      const best = optimalGuesses(game);
      expect(better).toBeLessThanOrEqual(heuristic);
      expect(best).toBeLessThanOrEqual(better);
      expect(best).toBeGreaterThanOrEqual(2 * 40 - 1);
    }
  });

  it("dynamic programming agrees with brute force", () => {
    const game = wordle(generateWords(defaultRng(1), 9, 2), 6);
    const tryAll = (belief: readonly number[]): number => {
      let least = Number.POSITIVE_INFINITY;
      for (let g = 0; g < game.guesses; g++) {
        const groups = game.split(belief, g);
        if (groups.some((group) => group.length === belief.length)) continue;
        least = Math.min(
          least,
          groups.reduce((sum, group) => sum + tryAll(group), belief.length),
        );
      }
      return least;
    };
    expect(optimalGuesses(game)).toBe(tryAll(game.start));
  });

  it("generates different words of five letters, the same from the same seed", () => {
    const words = generateWords(defaultRng(3), 300, 20);
    expect(new Set(words).size).toBe(300);
    expect(words.every((w) => /^[a-z]{5}$/.test(w))).toBe(true);
    expect(generateWords(defaultRng(3), 300, 20)).toEqual(words);
    expect(new Set(words.map((w) => w.slice(1))).size).toBe(20);
    expect(() => generateWords(defaultRng(3), 300, 2)).toThrow("2 families have 34 words");
  });
});
