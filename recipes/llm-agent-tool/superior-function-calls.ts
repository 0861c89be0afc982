import { entropyAdvantage, grpo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { tableSides as side, within } from "@reins/recipes/talks";

/** Â + min(0.4 H, |Â| / 2), the constants that are usual for such advantages. */
const explores = () => ({ look: entropyAdvantage({ weight: 0.4, most: 2 }) });

export default recipe({
  id: "superior-function-calls",
  paper: "Exploring Superior Function Calls via Reinforcement Learning",
  source: "arXiv:2508.05118",
  about:
    "GRPO settles on few ways to write calls before it has seen better ones. Here the advantage of a token grows with the entropy of the policy there, by no more than half of itself, so that where the model hesitates it learns more of what went well and less of what did not. Claimed: up to six points over GRPO where several functions are to be called.",
  system: within(300, side("entropy in the advantage", grpo, {}, { parts: explores })),
  baselines: [side("GRPO", grpo)],
  metrics: {
    accuracy: { about: "held-out accuracy", better: "higher", worst: 0, best: 1 },
    "solved/4": { about: "accuracy where two functions are needed", better: "higher", worst: 0, best: 1 },
    "policy/entropy": { about: "entropy of a token, in nats", better: "higher", worst: 0, best: "open" },
  },
  claims: [
    {
      metric: "solved/4",
      smallest: 0.06,
      because: "what the paper gains at most",
      paper: "up to 6 points over GRPO",
    },
    { metric: "accuracy", smallest: 0.03, because: "half of that over all questions" },
  ],
  grid: { learningRate: [5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 10_000, quick: 1500 },
  minutes: 1,
  deviations: [
    "Questions about two tables of twelve names, by a transformer of one layer, stand for the Berkeley leaderboard and models of code. The answer at the end is checked, not the tree of the call.",
    "Entropy counts at every token that the model writes: there are no thoughts beside calls and answers. Filtering of the training data is left out, since a program makes the problems.",
    "The constants, 0.4 and 2, are those of others who shape advantages in this way; this paper's are not in its abstract.",
  ],
  finding: (f) =>
    `Ten replicates a block are too few: sixty would tell such an effect from none. Where two functions are needed ${f.effect(0)}, over all questions ${f.effect(1)}, over ${f.count} seeds. With entropy in the advantage ${f.mean("entropy in the advantage", "solved/4")} of these and ${f.mean("entropy in the advantage", "accuracy")} of all are solved, by GRPO ${f.mean("GRPO", "solved/4")} and ${f.mean("GRPO", "accuracy")}; before it was ${f.mean("GRPO", "before")}. The mean entropy of a token in training is ${f.mean("entropy in the advantage", "policy/entropy")} and ${f.mean("GRPO", "policy/entropy")}.`,
});
