import { defaultRng, stream } from "@reins/core";
import * as envs from "@reins/envs";
import { recipe, type Trial } from "@reins/recipes";

/** Of a vocabulary, two words in three may be secret; there is a family of rhymes for every ten secrets. */
const vocabulary = (secrets: number, seed: number) =>
  envs.wordle(
    envs.inventWords(defaultRng(stream(seed, "words")), Math.ceil(1.5 * secrets), Math.ceil(secrets / 10)),
    secrets,
  );

/** No strategy does better: one secret at the first guess, one in each group at the second, all others later. */
function boundOf(game: envs.GuessingGame) {
  const groups = Array.from({ length: game.guesses }, (_, g) => game.sumOverGroups(game.start, g, () => 1));
  return 3 - (1 + Math.max(...groups)) / game.secrets;
}

/** Base heuristics: the most information about the secret, or the most different answers. */
const grid = { heuristic: ["information", "groups"] } as const;

const side = (name: string, improve: (game: envs.GuessingGame, base: envs.Guesser) => envs.Guesser) => ({
  name,
  run({ seed, settings, budget: secrets }: Trial<typeof grid>) {
    const play = (game: envs.GuessingGame) => {
      const guesser = improve(game, envs.splitting(game, settings.heuristic));
      return {
        opening: guesser(game.start),
        mean: envs.totalGuesses(game, guesser)(game.start) / game.secrets,
      };
    };
    const [game, few] = [vocabulary(secrets, seed), vocabulary(secrets / 6, seed)];
    const { opening, mean } = play(game);
    const optimum = envs.fewestGuesses(few) / few.secrets;
    const values = { guesses: mean, bound: boundOf(game), few: play(few).mean, optimum };
    return { values, early: [opening, mean], used: secrets };
  },
});

export default recipe({
  id: "wordle-rollout",
  paper: "Reinforcement Learning Methods for Wordle: A POMDP/Adaptive Control Approach",
  source: "arXiv:2211.10298",
  about:
    "Wordle is a search under a belief: the secrets that agree with all answers. Rollout tries every guess, follows a base heuristic from each belief that may come next to the end, and takes the guess that needs the fewest guesses on average. Claimed: fewer guesses than the heuristic, such as the greatest information gain, and very close to the optimum.",
  system: side("rollout", envs.rollout),
  baselines: [side("one-step heuristic", (_, base) => base)],
  metrics: {
    guesses: { about: "mean guesses over all secrets", better: "lower", worst: 10, best: "bound" },
    few: { about: "mean guesses, 50 secrets", better: "lower", worst: 10, best: "optimum" },
    optimum: { about: "the optimum of 50 secrets", better: "lower", worst: 10, best: "optimum" },
  },
  claims: [
    {
      metric: "guesses",
      smallest: 0.05,
      because: "one game in twenty ends a guess earlier; one-step heuristics differ by about as much",
    },
    {
      kind: "no-worse",
      metric: ["few", "optimum"],
      margin: 0.02,
      interval: "bca",
      because: "one guess in all 50 games together, the smallest step there is",
      paper: "very close to optimal, in the words of its abstract",
    },
  ],
  grid,
  replicates: "vocabulary",
  budget: { unit: "secrets", full: 300, quick: 102 },
  deviations: [
    "Invented words of five letters in rhyming families, 300 secret and 450 to guess, stand for the dictionary of 2315 and 12972.",
    "The optimum is computed for 50 secrets and 75 words: a smaller game leaves rollout less to miss.",
    "The heuristic takes a word that may be the secret where two split equally well, which makes the baseline stronger.",
    "Games have no limit of six guesses.",
  ],
  tried: ["The fewest secrets left as a third heuristic: by itself it played as the most information did."],
  finding: (f) =>
    `Over ${f.count} vocabularies rollout needs ${f.mean("rollout", "guesses")} guesses and the best heuristic ${f.mean("one-step heuristic", "guesses")}; with 50 secrets it is ${f.mean("rollout", "few")}, and ${f.mean("rollout", "optimum")} is optimal.`,
});
