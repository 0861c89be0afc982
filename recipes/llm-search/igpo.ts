import { grpo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { foraging, foragingMark, lookups, searchMetrics, trainedOn } from "@reins/recipes/talks";
import { wordsSides } from "@reins/recipes/words";

/** Questions of three steps, of which the model knows none. */
const side = wordsSides(foraging);
/** A turn earns what it adds to the probability that the model gives to the right answer. */
const informed = lookups({
  id: "lookups paid by IGPO",
  mark: foragingMark,
  belief: { truth: ({ data: { path } }) => path[path.length - 1], after: foragingMark, weight: 1 },
});
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
  // r_t = p(answer | turns up to t) - p(answer | turns before t); the last turn is paid for the answer.
  system: side("IGPO", grpo, { credit: "turn" }, trainedOn(informed)),
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
  budget: { unit: "tokens", full: 9000, quick: 1500 },
  minutes: 1,
  deviations: [
    "Names that lead to names in three steps, drawn anew in each problem and told by a tool, stand for questions of several hops and the web; a model of one layer that has imitated one and two steps, with many guesses, stands for Qwen2.5-7B.",
    "What turns gain in information and what the answer earns are added as they are, and compared as sums; the paper normalises both within the group. Nothing is discounted.",
    "As in the paper the probability is the geometric mean over the answer's tokens, after the words with which an answer begins. Sample efficiency is the mean of accuracy halfway and at the end.",
  ],
  tried: [
    "Two steps that were imitated: GRPO went from 0.3 to 0.87 in 18 updates, and nothing was left to gain.",
    "Without words with which an answer begins, the probability fell where the model would rather search on, so that searches were fined: the model unlearned them with one of two seeds.",
    "Groups of four plays: twice as many without differences, and runs of all sides that stopped searching.",
  ],
  finding: (f) =>
    `At the end IGPO's accuracy differs from GRPO's by ${f.effect(0)}, over training by ${f.effect(1)}, over ${f.count} seeds. IGPO solves ${f.mean("IGPO", "accuracy")} with ${f.mean("IGPO", "calls")} searches, GRPO ${f.mean("GRPO", "accuracy")} with ${f.mean("GRPO", "calls")}, GRPO that compares turns ${f.mean("GRPO, turns compared", "accuracy")}; before it was ${f.mean("GRPO", "before")}. The share of groups without differences is ${f.mean("IGPO", "flat")} with IGPO and ${f.mean("GRPO", "flat")} with GRPO, so that rewards are not as sparse here as the paper has them.`,
});
