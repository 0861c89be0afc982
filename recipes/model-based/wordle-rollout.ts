import { defaultRng, stream } from "@reins/core/random";
import * as envs from "@reins/envs";
import { recipe, type Trial } from "@reins/recipes";

/** A vocabulary in which two words in three may be secret, with a rhyming family for every ten secrets. */
const vocabulary = (secrets: number, seed: number) =>
  envs.wordle(
    envs.generateWords(defaultRng(stream(seed, "words")), Math.ceil(1.5 * secrets), Math.ceil(secrets / 10)),
    secrets,
  );

/** A lower bound for any strategy: one secret at the first guess, one in each group at the second, all others later. */
function boundOf(game: envs.GuessingGame) {
  const groups = Array.from({ length: game.guesses }, (_, g) => game.sumOverGroups(game.start, g, () => 1));
  return 3 - (1 + Math.max(...groups)) / game.secrets;
}

/** Base heuristics: maximum information about the secret, or maximum number of distinct answers. */
const grid = { heuristic: ["information", "groups"] } as const;

const arm = (
  name: string,
  improve: (game: envs.GuessingGame, base: envs.GuessingPolicy) => envs.GuessingPolicy,
) => ({
  name,
  run({ seed, settings, budget: secrets }: Trial<typeof grid>) {
    const play = (game: envs.GuessingGame) => {
      const guesser = improve(game, envs.bestSplitPolicy(game, settings.heuristic));
      return {
        opening: guesser(game.start),
        mean: envs.totalGuesses(game, guesser)(game.start) / game.secrets,
      };
    };
    const [game, few] = [vocabulary(secrets, seed), vocabulary(secrets / 6, seed)];
    const { opening, mean } = play(game);
    const optimum = envs.optimalGuesses(few) / few.secrets;
    const values = { guesses: mean, bound: boundOf(game), few: play(few).mean, optimum };
    return { values, early: [opening, mean], used: secrets };
  },
});

export default recipe({
  id: "wordle-rollout",
  paper: "Reinforcement Learning Methods for Wordle: A POMDP/Adaptive Control Approach",
  source: "arXiv:2211.10298",
  about:
    "Wordle is a search over beliefs: the secrets consistent with all answers. Rollout evaluates every guess by following a base heuristic from each possible next belief to the end, and takes the guess with the fewest expected guesses. Claimed: fewer guesses than the heuristic, such as the greatest information gain, and very close to the optimum.",
  system: arm("rollout", envs.rollout),
  baselines: [arm("one-step heuristic", (_, base) => base)],
  metrics: {
    guesses: { about: "mean guesses over all secrets", better: "lower", worst: 10, best: "bound" },
    few: { about: "mean guesses in a game of 50 secrets", better: "lower", worst: 10, best: "optimum" },
    optimum: {
      about: "optimal mean guesses in a game of 50 secrets",
      better: "lower",
      worst: 10,
      best: "optimum",
    },
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
    "Invented five-letter words in rhyming families, 300 secret and 450 to guess, replace the dictionary of 2315 and 12972.",
    "The optimum is computed for 50 secrets and 75 words: a smaller game leaves rollout less room for error.",
    "Ties between guesses are broken in favour of possible secrets, which makes the baseline stronger.",
    "Games have no limit of six guesses.",
  ],
  tried: ["The fewest remaining secrets as a third heuristic: it played like the information heuristic."],
  finding: (f) =>
    `Rollout needs fewer guesses than the best heuristic, as claimed. Whether it is within the margin of the optimum is undecided. Over ${f.count} vocabularies rollout needs ${f.mean("rollout", "guesses")} guesses and the best heuristic ${f.mean("one-step heuristic", "guesses")}; with 50 secrets it needs ${f.mean("rollout", "few")}, and the optimum is ${f.mean("rollout", "optimum")}.`,
});
