import { grpo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { paid, tableSides as side, within } from "@reins/recipes/talks";

/** The answer and its form, less a price where some call was not needed or failed. */
const hybrid = paid((group) =>
  group.map(({ verdict, failed }) => {
    const wrong = failed > 0 || (verdict.terms?.needless ?? 0) > 0;
    return Number(verdict.score) + (verdict.formed ? 0.1 : 0) - (wrong ? 0.2 : 0);
  }),
);

export default recipe({
  id: "autotir",
  paper: "AutoTIR: Autonomous Tools Integrated Reasoning via Reinforcement Learning",
  source: "arXiv:2507.21836",
  about:
    "The model decides whether to call a tool, and which, and is paid for right answers and their form and fined for the wrong tool or one that is not needed. It learns from tasks with tools and without. Claimed: better overall than baselines, and better use of tools.",
  system: within(300, side("AutoTIR", grpo, {}, { change: hybrid })),
  baselines: [side("GRPO", grpo)],
  metrics: {
    accuracy: { about: "held-out accuracy", better: "higher", worst: 0, best: 1 },
    "term/needless": { about: "calls that are wrong or not needed", better: "lower", worst: 4, best: 0 },
  },
  claims: [
    { metric: "accuracy", smallest: 0.05, because: "less does not pay for knowing which tool is right" },
    { metric: "term/needless", smallest: 0.1, because: "a quarter of what GRPO has" },
  ],
  grid: { learningRate: [5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 10_000, quick: 1500 },
  minutes: 3,
  deviations: [
    "A quarter of questions that can be known by heart stands for plain language, one table for knowledge and the other for mathematics, each with its tool; a transformer of one layer for Qwen2.5-7B.",
    "Form earns 0.1, and a call that is wrong or not needed costs 0.2, once for a conversation, beside 1 for the answer; a program knows which they are. The paper's weights are not in its abstract.",
    "The baseline is paid for the answer alone, with the same tools and the same questions. Models that always call, or never, are not measured here.",
  ],
  tried: [
    "A price of 0.5 in place of 0.2: at a learning rate of 0.004 the model called nothing any more, and at 0.002 it gave up the second step with one seed.",
  ],
  finding: (f) =>
    `The fine is avoided most easily by calling less, also where a call is needed: AutoTIR leaves out ${f.mean("AutoTIR", "term/missing")} calls of the way to an answer, GRPO ${f.mean("GRPO", "term/missing")}. Accuracy: ${f.effect(0)}; calls that are wrong or not needed: ${f.effect(1)}, over ${f.count} seeds. AutoTIR solves ${f.mean("AutoTIR", "accuracy")} with ${f.mean("AutoTIR", "term/needless")} such calls, GRPO ${f.mean("GRPO", "accuracy")} with ${f.mean("GRPO", "term/needless")}; before it was ${f.mean("GRPO", "before")}. Where nothing need be looked up they call ${f.mean("AutoTIR", "calls/1")} and ${f.mean("GRPO", "calls/1")} times; two steps are solved in ${f.mean("AutoTIR", "solved/4")} and ${f.mean("GRPO", "solved/4")} of the cases.`,
});
