import { grpo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { foraging, informationGain, searchMetrics } from "@reins/recipes/talks";
import { wordsSides } from "@reins/recipes/words";

/** Questions of two steps, of which the model knows none. */
const side = wordsSides(foraging);
const points = {
  smallest: 0.05,
  because: "one question in twenty is worth scoring the answer after each turn, fewer are not",
};

export default recipe({
  id: "igpo",
  paper:
    "Information Gain-based Policy Optimization: A Simple and Effective Approach for Multi-Turn LLM Agents",
  source: "arXiv:2510.14967",
  about:
    "An agent of several turns that is paid for its answer alone has groups in which all plays earn the same, and no turn is told from another. IGPO pays each turn what it adds to the probability that the model itself gives to the right answer, and compares, turn by turn, what is earned from it on, the reward for the answer among it. Claimed: higher accuracy than with rewards for outcomes alone, and better sample efficiency.",
  // A turn earns what it adds to the probability that the model gives to the right answer:
  // r_t = p(answer | turns up to t) - p(answer | turns before t); the last turn is paid for the answer.
  // A_t is the sum from t on of rewards less the mean of their kind in the group, by its deviation.
  system: side("IGPO", grpo, { credit: "turn", baseline: "none", scale: "none" }, informationGain),
  baselines: [side("GRPO", grpo)],
  ablations: [side("GRPO, turns compared", grpo, { credit: "turn" })],
  metrics: {
    ...searchMetrics,
    area: { about: "held-out accuracy over training", better: "higher", worst: 0, best: 1 },
  },
  claims: [
    { metric: "accuracy", ...points, paper: "higher than all baselines" },
    { metric: "area", ...points, paper: "better sample efficiency" },
  ],
  grid: { learningRate: [5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 5000, quick: 1000 },
  minutes: 1,
  deviations: [
    "Names that lead to names in two steps, drawn anew in each problem and told by a tool, stand for questions of several hops and the web; a model of one layer that imitated somebody who mostly guesses stands for Qwen2.5-7B.",
    "Rewards are not as sparse here as in the paper: of eight plays some differ nearly always. So it is mostly credit that is measured, not what becomes of groups without differences.",
    "Gains and answers are each normalised within the group, as far as the paper is known to us, and nothing is discounted. As there, the probability is the geometric mean over the answer's tokens, after the words with which an answer begins.",
    "Scoring the answer before each turn costs no tokens of the budget, though it takes time. Sample efficiency is the mean of accuracy halfway and at the end.",
  ],
  tried: [
    "Three steps, where two were imitated: the model took what the first two searches found for the answer, so that a search that was needed made the truth less likely, and IGPO unlearned searching with one of two seeds (0.12 beside GRPO's 0.65), normalised or not.",
    "Without words with which an answer begins, the probability fell where the model would rather search on, and searches were fined.",
    "A teacher who guesses two of five times, and 9,000 tokens: both came to 0.64 to 0.74 at three steps.",
  ],
  finding: (f) =>
    `At the end IGPO's accuracy differs from GRPO's by ${f.effect(0)}, over training by ${f.effect(1)}, over ${f.count} seeds. IGPO solves ${f.mean("IGPO", "accuracy")} with ${f.mean("IGPO", "calls")} searches, GRPO ${f.mean("GRPO", "accuracy")} with ${f.mean("GRPO", "calls")}, GRPO that compares turns ${f.mean("GRPO, turns compared", "accuracy")}; before it was ${f.mean("GRPO", "before")}. The share of groups without differences is ${f.mean("IGPO", "flat")} with IGPO and ${f.mean("GRPO", "flat")} with GRPO.`,
});
