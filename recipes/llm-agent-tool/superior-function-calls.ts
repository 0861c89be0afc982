import { entropyAdvantage, grpo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { tableArms as arm, withReserve } from "@reins/recipes/conversations";

/** Â + min(0.4 H, |Â| / 2), with the usual constants. */
const explores = () => ({ look: entropyAdvantage({ weight: 0.4, most: 2 }) });

export default recipe({
  id: "superior-function-calls",
  paper: "Exploring Superior Function Calls via Reinforcement Learning",
  source: "arXiv:2508.05118",
  about:
    "GRPO settles on few ways to write calls before it has seen better ones. This method adds an entropy term to each token's advantage, bounded by half of the advantage, so that uncertain tokens learn more from successes and less from failures. Claimed: up to six points over GRPO where several functions must be called.",
  system: withReserve(300, arm("entropy in the advantage", grpo, {}, { parts: explores })),
  baselines: [arm("GRPO", grpo)],
  metrics: {
    accuracy: { about: "held-out accuracy", better: "higher", worst: 0, best: 1 },
    "solved/4": { about: "accuracy where two functions are needed", better: "higher", worst: 0, best: 1 },
    "policy/entropy": {
      about: "mean token entropy in training, nats",
      better: "higher",
      worst: 0,
      best: "open",
    },
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
    "Questions about two tables of twelve names, by a one-layer transformer, replace the Berkeley leaderboard and code models. The final answer is checked, not the syntax tree of the call.",
    "The entropy term applies to every generated token: the model writes calls and answers only, without reasoning. Filtering of the training data is left out, since a program makes the problems.",
    "The constants, 0.4 and 2, are those of other work with this form of advantage; the abstract does not give this paper's.",
  ],
  finding: (f) =>
    `Undecided: both effects point towards the claim, and both intervals include zero. Ten replicates per block are too few; sixty would be needed for an effect of this size. Where two functions are needed ${f.effect(0)}, over all questions ${f.effect(1)}, over ${f.count} seeds. The entropy term solves ${f.mean("entropy in the advantage", "solved/4")} of these and ${f.mean("entropy in the advantage", "accuracy")} of all, GRPO ${f.mean("GRPO", "solved/4")} and ${f.mean("GRPO", "accuracy")}; accuracy before RL was ${f.mean("GRPO", "before")}. The mean token entropy in training is ${f.mean("entropy in the advantage", "policy/entropy")} and ${f.mean("GRPO", "policy/entropy")}.`,
});
