import { grpo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { tableArms as arm, withReserve, withRewards } from "@reins/recipes/conversations";

/** Reward for the answer and its format, minus a penalty if a call was needless or failed. */
const hybrid = withRewards((group) =>
  group.map(({ verdict, failed }) => {
    const wrong = failed > 0 || (verdict.terms?.needless ?? 0) > 0;
    return Number(verdict.score) + (verdict.wellFormed ? 0.1 : 0) - (wrong ? 0.2 : 0);
  }),
);

export default recipe({
  id: "autotir",
  paper: "AutoTIR: Autonomous Tools Integrated Reasoning via Reinforcement Learning",
  source: "arXiv:2507.21836",
  about:
    "The model decides whether to call a tool, and which. It is rewarded for correct answers and their format and penalised for a wrong or needless call, on tasks with and without tools. Claimed: better overall than baselines, and better tool use.",
  system: withReserve(300, arm("AutoTIR", grpo, {}, { change: hybrid })),
  baselines: [arm("GRPO", grpo)],
  metrics: {
    accuracy: { about: "held-out accuracy", better: "higher", worst: 0, best: 1 },
    "term/needless": { about: "wrong or needless calls per question", better: "lower", worst: 4, best: 0 },
  },
  claims: [
    { metric: "accuracy", smallest: 0.05, because: "less does not pay for knowing which tool is right" },
    { metric: "term/needless", smallest: 0.1, because: "a quarter of what GRPO has" },
  ],
  grid: { learningRate: [5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 10_000, quick: 1500 },
  minutes: 3,
  deviations: [
    "A quarter of the questions can be answered from memory and replaces plain language; one table replaces knowledge and the other mathematics, each with its tool; a one-layer transformer replaces Qwen2.5-7B.",
    "Format earns 0.1, and a wrong or needless call costs 0.2, once per conversation, besides 1 for the answer; a program decides which calls these are. The abstract does not give the paper's weights.",
    "The baseline is rewarded for the answer alone, with the same tools and questions. Models that always or never call are not measured.",
  ],
  tried: [
    "A penalty of 0.5 instead of 0.2: at a learning rate of 0.004 the model stopped calling altogether, and at 0.002 it gave up the second step with one seed.",
  ],
  finding: (f) =>
    `Accuracy falls, against the claim; needless calls do become fewer, as claimed. The easiest way to avoid the penalty is to call less, also where a call is needed: AutoTIR omits ${f.mean("AutoTIR", "term/missing")} needed calls per question, GRPO ${f.mean("GRPO", "term/missing")}. Accuracy: ${f.effect(0)}; fewer wrong or needless calls: ${f.effect(1)}, over ${f.count} seeds. AutoTIR solves ${f.mean("AutoTIR", "accuracy")} with ${f.mean("AutoTIR", "term/needless")} such calls, GRPO ${f.mean("GRPO", "accuracy")} with ${f.mean("GRPO", "term/needless")}; accuracy before RL was ${f.mean("GRPO", "before")}. On questions answerable from memory they call ${f.mean("AutoTIR", "calls/1")} and ${f.mean("GRPO", "calls/1")} times; questions of two steps are solved in ${f.mean("AutoTIR", "solved/4")} and ${f.mean("GRPO", "solved/4")} of the cases.`,
});
