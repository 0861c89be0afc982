import { grpo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { answerReward, lookups, searching, searchMetrics, trainOn } from "@reins/recipes/conversations";
import { languageArms } from "@reins/recipes/language";

/** Equal numbers of questions inside and outside the model's knowledge. */
const arm = languageArms({ ...searching, played: [1, 2] });
/** Maximum searches of a conversation that ends with an answer. */
const most = 4;
/** Correct: 0.6 more without a search, less with each. Wrong: 0.05 if it searched. */
const boundary = lookups({
  id: "lookups paid by IKEA",
  turnReward: answerReward(({ right, asked: { length } }) =>
    right ? 0.6 * Math.max(0, 1 - length / most) : length ? 0.05 : 0,
  ),
});
const beside = {
  because: "a fifth of the searches that are needed counts, three points of accuracy are not missed",
};
const fewer = { metric: "calls", smallest: 0.1, ...beside } as const;
const noWorse = { kind: "no-worse", metric: "accuracy", margin: 0.03, ...beside } as const;

export default recipe({
  id: "ikea-search-agent",
  paper: "Reinforced Internal-External Knowledge Synergistic Reasoning for Efficient Adaptive Search Agent",
  source: "arXiv:2505.07596",
  about:
    "A search agent should recognise the boundary of its knowledge. IKEA rewards a correct answer more for fewer searches, and a wrong one a little if it searched at all, on equal numbers of questions inside and outside the model's knowledge. Claimed: fewer retrievals, and higher accuracy than agents with a reward for correct answers alone.",
  // R = [right] + 0.6 (1 - RT / RT_max) if right, 0.05 if wrong and RT > 0, else 0.
  system: arm("IKEA", grpo, {}, trainOn(boundary)),
  baselines: [arm("GRPO", grpo)],
  metrics: searchMetrics,
  claims: [
    { kind: "joint", of: [fewer, noWorse], ...beside, paper: "fewer retrievals, better answers" },
    { metric: "accuracy", smallest: 0.03, because: "fewer points are not worth two constants" },
  ],
  grid: { learningRate: [5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 9000, quick: 1500 },
  minutes: 2,
  deviations: [
    "Twelve names replace the world: a one-layer model has memorised the facts about six of them, and those about the other six are drawn anew in each problem and returned by a tool. They replace PopQA, Natural Questions, HotpotQA and 2Wiki, and the model replaces Qwen2.5 of 3 and 7 billion weights.",
    "The construction of a question decides whether it is inside the model's knowledge; the paper queries the model several times. Both arms train on the same balanced questions, so that only the reward differs.",
    "The maximum is four searches, all that fit into a conversation. Malformed turns are wrong, without a further penalty. The constants are 0.6 and 0.05, following the published program as far as available.",
    "The model is fine-tuned on a teacher that looks up three of four memorised facts, and guesses two of five others.",
  ],
  tried: ["Nothing else: the task is that of SEM, chosen before this reward was run."],
  finding: (f) =>
    `IKEA searches less without losing accuracy, as claimed; its gain in accuracy is negligible. Shorter conversations give it ${f.mean("IKEA", "updates")} updates for as many tokens as GRPO's ${f.mean("GRPO", "updates")}, and on questions that need a search it is not better (${f.mean("IKEA", "solved/2")} against ${f.mean("GRPO", "solved/2")}). Fewer searches, and accuracy: ${f.effect(0)}; accuracy alone: ${f.effect(1)}, over ${f.count} seeds. IKEA solves ${f.mean("IKEA", "accuracy")} with ${f.mean("IKEA", "calls")} searches, GRPO ${f.mean("GRPO", "accuracy")} with ${f.mean("GRPO", "calls")}; accuracy before RL was ${f.mean("GRPO", "before")}. Memorised facts take ${f.mean("IKEA", "calls/1")} searches with IKEA and ${f.mean("GRPO", "calls/1")} with GRPO, the others ${f.mean("IKEA", "calls/2")} and ${f.mean("GRPO", "calls/2")}.`,
});
