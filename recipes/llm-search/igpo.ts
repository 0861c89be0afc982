import { grpo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { foraging, informationGain, searchMetrics } from "@reins/recipes/conversations";
import { languageArms } from "@reins/recipes/language";

/** Questions of two steps that the model cannot answer from memory. */
const arm = languageArms(foraging);
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
    "A multi-turn agent with a reward for its answer alone has groups with equal rewards, and no turn-level credit. IGPO rewards each turn for the increase in the probability that the model itself assigns to the correct answer, and compares the rewards from each turn on, the answer's included, turn by turn. Claimed: higher accuracy than with outcome rewards alone, and better sample efficiency.",
  // A turn's reward is the increase in the probability that the model assigns to the correct answer:
  // r_t = p(answer | turns up to t) - p(answer | turns before t); the last turn is rewarded for the answer.
  // A_t is the sum from t on of rewards, normalised by the mean and standard deviation of their kind in the group.
  system: arm("IGPO", grpo, { credit: "turn", baseline: "none", scale: "none" }, informationGain),
  baselines: [arm("GRPO", grpo)],
  ablations: [arm("GRPO, turns compared", grpo, { credit: "turn" })],
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
    "Names that lead to names in two steps, drawn anew in each problem and returned by a tool, replace multi-hop questions and the web; a one-layer model fine-tuned on a teacher that mostly guesses replaces Qwen2.5-7B.",
    "Rewards are not as sparse here as in the paper: of eight samples some nearly always differ. The comparison is therefore mostly about credit assignment, not about groups with equal rewards.",
    "Gains and answers are each normalised within the group, as far as the paper says, and nothing is discounted. As in the paper, the probability is the geometric mean over the answer's tokens, after the words that begin an answer.",
    "Scoring the answer before each turn costs no tokens of the budget, though it takes time. Sample efficiency is the mean of accuracy halfway and at the end.",
  ],
  tried: [
    "Three steps, with a teacher of two: the model took the result of the first two searches as the answer, so that a needed search made the correct answer less likely, and IGPO unlearned searching with one of two seeds (0.12 against GRPO's 0.65), normalised or not.",
    "Without the words that begin an answer, the probability fell where the model preferred to search on, and searches were penalised.",
    "A teacher that guesses two of five times, and 9,000 tokens: both reached 0.64 to 0.74 at three steps.",
  ],
  finding: (f) =>
    `Undecided: IGPO's gain over GRPO is small and its interval includes zero. Rewards are not sparse here, so the comparison is mostly about credit assignment. At the end accuracy differs by ${f.effect(0)}, over training by ${f.effect(1)}, over ${f.count} seeds. IGPO solves ${f.mean("IGPO", "accuracy")} with ${f.mean("IGPO", "calls")} searches, GRPO ${f.mean("GRPO", "accuracy")} with ${f.mean("GRPO", "calls")}, GRPO with turn-level credit ${f.mean("GRPO, turns compared", "accuracy")}; accuracy before RL was ${f.mean("GRPO", "before")}. The share of groups with equal rewards is ${f.mean("IGPO", "flat")} with IGPO and ${f.mean("GRPO", "flat")} with GRPO.`,
});
