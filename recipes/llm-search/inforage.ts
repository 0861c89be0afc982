import { grpo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { answerReward, lookups, searching, searchMetrics, trainOn } from "@reins/recipes/conversations";
import { languageArms } from "@reins/recipes/language";

/** Questions of three steps that the model cannot answer from memory. */
const arm = languageArms({
  ...searching,
  played: [5],
  options: { ...searching.options, groups: 2 },
  score: { problems: 100, looks: 1 },
});
/** Full coverage of the path earns half as much as the answer, and each search discounts the total by a twentieth. */
const foraged = lookups({
  id: "lookups paid by InForage",
  turnReward: answerReward(({ right, asked, path }) => {
    const needed = [...new Set(path.slice(0, -1))];
    const coverage = needed.filter((name) => asked.includes(name)).length / needed.length;
    return (Number(right) + 0.5 * coverage) * 0.95 ** asked.length - Number(right);
  }),
});

const points = { smallest: 0.05, because: "a reward that must know the evidence should gain a twentieth" };

export default recipe({
  id: "inforage",
  paper: "Scent of Knowledge: Optimizing Search-Enhanced Reasoning with Information Foraging",
  source: "arXiv:2505.09316",
  about:
    "Search is foraging: each step follows a scent to a patch of information. InForage rewards the answer and the share of the needed evidence that was found, regardless of the outcome, and discounts both with each step. Claimed: higher accuracy than baselines with a reward for answers alone, most of all on multi-hop questions.",
  // R = (outcome + α · coverage) · β^T with T searches.
  system: arm("InForage", grpo, {}, trainOn(foraged)),
  baselines: [arm("GRPO", grpo)],
  metrics: searchMetrics,
  claims: [{ metric: "accuracy", ...points, paper: "superior on all question sets" }],
  grid: { learningRate: [5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 8000, quick: 1500 },
  minutes: 1,
  deviations: [
    "Names that lead to names in three steps, drawn anew in each problem and returned by a tool, replace multi-hop questions and the web; a one-layer model fine-tuned on one and two steps, with many guesses, replaces Qwen2.5-3B fine-tuned on human searches.",
    "The weights (0.5 for all of the evidence, a discount of a twentieth per search) were chosen here and not tuned. GRPO replaces PPO in both arms.",
    "Evidence is the names on the path; a document is one fact, so that every lookup finds its evidence.",
  ],
  tried: [
    "Two steps, as in fine-tuning: GRPO went from 0.3 to 0.87 in 18 updates.",
    "A teacher of three steps that often went astray: the model could not yet follow three, and all arms stopped searching or answering.",
    "Eight groups per batch and 7,000 tokens: the last batch exceeded the budget by a tenth.",
    "Answers that begin with a mark, and 12,000 tokens: neither arm did much better with three seeds.",
  ],
  finding: (f) =>
    `Undecided: InForage and GRPO have nearly the same accuracy. The weights of the reward were not tuned, and the interval is wide. Accuracy differs by ${f.effect(0)}, over ${f.count} seeds. InForage solves ${f.mean("InForage", "accuracy")} with ${f.mean("InForage", "calls")} searches, GRPO ${f.mean("GRPO", "accuracy")} with ${f.mean("GRPO", "calls")}; accuracy before RL was ${f.mean("GRPO", "before")}. Three searches are needed. The share of groups with equal rewards is ${f.mean("InForage", "flat")} with InForage and ${f.mean("GRPO", "flat")} with GRPO.`,
});
