import { grpo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { lookups, paidForAnswer, searching, searchMetrics, trainedOn } from "@reins/recipes/talks";
import { wordsSides } from "@reins/recipes/words";

/** As many questions inside what the model knows as outside of it. */
const side = wordsSides({ ...searching, played: [1, 2] });
/** Most searches of a conversation that ends with an answer. */
const most = 4;
/** Right: 0.6 more without a search, less with each. Wrong: 0.05 for having searched. */
const boundary = lookups({
  id: "lookups paid by IKEA",
  pay: paidForAnswer(({ right, asked: { length } }) =>
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
    "A search agent is to know the boundary of its knowledge. IKEA pays a right answer more the fewer searches it took, and a wrong one a little if there was a search at all, on as many questions that the model knows as questions that it does not. Claimed: fewer retrievals, and higher accuracy than agents that are paid for right answers alone.",
  // R = [right] + 0.6 (1 - RT / RT_max) if right, 0.05 if wrong and RT > 0, else 0.
  system: side("IKEA", grpo, {}, trainedOn(boundary)),
  baselines: [side("GRPO", grpo)],
  metrics: searchMetrics,
  claims: [
    { kind: "joint", of: [fewer, noWorse], ...beside, paper: "fewer retrievals, better answers" },
    { metric: "accuracy", smallest: 0.03, because: "fewer points are not worth two constants" },
  ],
  grid: { learningRate: [5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 9000, quick: 1500 },
  minutes: 2,
  deviations: [
    "Twelve names stand for the world: of six a model of one layer knows by heart what belongs to them, of six it is drawn anew in each problem and a tool tells it. They stand for PopQA, Natural Questions, HotpotQA and 2Wiki, and the model for Qwen2.5 of 3 and 7 billion weights.",
    "Which questions are known is decided by how they are made; the paper asks the model several times. Both sides train on the same balanced questions, so that the reward alone is measured.",
    "The most searches are four, all that a conversation has room for. Badly formed turns are not fined: they are wrong. The constants are 0.6 and 0.05, by the published program as far as it is known to us.",
    "The model imitated somebody who looks up three of four things that they know, and guesses two of five that they do not.",
  ],
  tried: ["Nothing else: the task is that of SEM, chosen before this reward was run."],
  finding: (f) =>
    `Shorter conversations give IKEA ${f.mean("IKEA", "updates")} updates for as many tokens as GRPO's ${f.mean("GRPO", "updates")}, and on questions that need a search it is no better (${f.mean("IKEA", "solved/2")} beside ${f.mean("GRPO", "solved/2")}). Accuracy beside GRPO: ${f.effect(1)}; fewer searches, and accuracy: ${f.effect(0)}, over ${f.count} seeds. IKEA solves ${f.mean("IKEA", "accuracy")} with ${f.mean("IKEA", "calls")} searches, GRPO ${f.mean("GRPO", "accuracy")} with ${f.mean("GRPO", "calls")}; before it was ${f.mean("GRPO", "before")}. What is known by heart takes ${f.mean("IKEA", "calls/1")} searches with IKEA and ${f.mean("GRPO", "calls/1")} with GRPO, the rest ${f.mean("IKEA", "calls/2")} and ${f.mean("GRPO", "calls/2")}.`,
});
