import { defaultRng } from "@reins/core";
import {
  fewestGuesses,
  type Guesser,
  type GuessingGame,
  inventWords,
  rollout,
  splitting,
  totalGuesses,
  wordle,
} from "@reins/envs";
import { recipe, type Trial } from "@reins/recipes";

/** Of a vocabulary, two words in three may be secret; there is a family of rhymes for every ten secrets. */
const vocabulary = (secrets: number, seed: number) =>
  wordle(inventWords(defaultRng(seed), Math.ceil(1.5 * secrets), Math.ceil(secrets / 10)), secrets);

const grid = { heuristic: ["information", "size", "groups"] } as const;

/** Mean guesses over all secrets. */
const mean = (game: GuessingGame, guesser: Guesser) => totalGuesses(game, guesser)(game.start) / game.secrets;

const side = (name: string, improve: (game: GuessingGame, base: Guesser) => Guesser) => ({
  name,
  run({ seed, settings, budget: secrets }: Trial<typeof grid>) {
    const play = (game: GuessingGame) => {
      const guesser = improve(game, splitting(game, settings.heuristic));
      return { opening: guesser(game.start), guesses: mean(game, guesser) };
    };
    const few = vocabulary(secrets / 6, seed);
    const best = fewestGuesses(few) / few.secrets;
    const { opening, guesses } = play(vocabulary(secrets, seed));
    return {
      value: guesses,
      early: [opening, guesses],
      used: secrets,
      also: { aboveOptimumOfFew: play(few).guesses - best },
    };
  },
});

export default recipe({
  id: "wordle-rollout",
  paper: "Reinforcement Learning Methods for Wordle: A POMDP/Adaptive Control Approach",
  about:
    "Wordle is a search under a belief: the secrets that agree with all answers. Rollout tries every guess, follows a base heuristic from each belief that may come next to the end, and takes the guess that needs the fewest guesses on average. Claimed: fewer guesses than the heuristic, such as the greatest information gain, and very close to the optimum.",
  baseline: side("one-step heuristic", (_, base) => base),
  system: side("rollout", rollout),
  metric: { name: "mean guesses over all secrets", better: "lower", worst: 10 },
  claim: { kind: "difference", smallest: 0.05 },
  grid,
  budget: { unit: "secrets", full: 300, quick: 102 },
  deviations: [
    "Invented words of five letters in rhyming families, 300 secret and 450 to guess, stand for the dictionary of 2315 and 12972.",
    "The heuristic takes a word that may be the secret where two split equally well, which makes the baseline stronger.",
    "Games have no limit of six guesses.",
    "The distance to the optimum is of 50 secrets and 75 words.",
  ],
});
