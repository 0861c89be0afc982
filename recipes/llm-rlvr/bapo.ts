import { grpo } from "@reins/algorithms";
import { losses } from "@reins/core";
import { sorting } from "@reins/language/tasks";
import { recipe } from "@reins/recipes";
import { wordsSides } from "@reins/recipes/words";

/** GRPO whose bounds move until good tokens have half of the gradient. */
const bapo = grpo.with("bapo", {
  parts: (_, o) => ({
    loss: losses.policyGradient({ ratio: losses.balanced({ share: 0.5 }), clip: o.clip }),
  }),
});

/** Three or five letters to be sorted, by a model that knows more than it says. A batch is learned from in 32 steps: most see stale answers. */
const side = wordsSides({
  family: sorting,
  levels: [1, 2],
  model: { width: 32, limit: 8, imitation: 100_000, unreliable: { tokens: 8000, wrong: 0.5 } },
  options: { groups: 32, plays: 8, minibatches: 8, epochs: 4, clip: 0.2 },
  score: { looks: 5 },
  also: ["policy/low", "policy/high", "policy/good"],
  quick: { levels: [1], model: { imitation: 24_000 } },
});

export default recipe({
  id: "bapo",
  paper:
    "BAPO: Stabilizing Off-Policy Reinforcement Learning for LLMs via Balanced Policy Optimization with Adaptive Clipping",
  source: "arXiv:2510.18927",
  about:
    "Where answers are older than the weights, bad tokens come to dominate the gradient, and fixed bounds cut off the rare good ones that would keep the policy random. BAPO moves the bounds in every step: the upper one from 1.2 towards 3, then the lower one from 0.6 towards 0.9, until good tokens have half of the gradient. Claimed: higher accuracy than GRPO with fixed bounds on stale answers, steadier learning, and an entropy that does not collapse.",
  system: side("BAPO", bapo),
  baselines: [side("GRPO, 0.8 to 1.2", grpo), side("GRPO, 0.8 to 1.28", grpo, { clipHigh: 0.28 })],
  ablations: [side("GRPO, 0.6 to 1.2", grpo, { clip: 0.4, clipHigh: 0.2 })],
  metrics: { area: { about: "held-out accuracy over training", better: "higher", worst: 0, best: 1 } },
  claims: [{ metric: "area", smallest: 0.02, because: "less than two points is not worth another loss" }],
  grid: { learningRate: [5e-5, 1e-4, 2e-4] },
  budget: { unit: "tokens", full: 40_000, quick: 2600 },
  deviations: [
    "A transformer of two layers that sorts three or five letters stands for models of 7B and 32B on competition mathematics; it has imitated a teacher whose answers are sometimes another problem's.",
    "Stale answers are those of one batch of 256 that is learned from in four passes of eight parts, in place of replayed samples and partial rollouts.",
    "A token's part of the gradient is its ratio times its advantage, and nothing where it is clipped: the surrogate's value, which the public code measures, would not fall when the lower bound rises.",
    "The share of 0.5 and the ranges of the bounds (0.6 to 0.9, 1.2 to 3) are those that the public repository describes, in steps of 0.05; the upper bound moves first. Its configuration has narrower ranges.",
    "Four passes a batch were chosen on seeds below 100: with two, where nothing is very stale, BAPO was not ahead in two trials.",
    "The score is the mean of five measurements along training, of 200 problems a level each, with sampled answers.",
  ],
});
