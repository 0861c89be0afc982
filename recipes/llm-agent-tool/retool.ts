import { grpo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { tableSides as side, textOnly } from "@reins/recipes/talks";

export default recipe({
  id: "retool",
  paper: "ReTool: Reinforcement Learning for Strategic Tool Use in LLMs",
  source: "arXiv:2504.11536",
  about:
    "A model that has imitated answers with calls of a tool between the words is reinforced by the outcome alone, with its calls carried out in the middle of its answers; what the tool says is seen and not learned from. Claimed: beside the same learning in words alone, higher accuracy (67% against 40%) after fewer updates (400 against 1080).",
  system: side("ReTool", grpo),
  baselines: [textOnly("words alone")],
  metrics: {
    accuracy: { about: "held-out accuracy", better: "higher", worst: 0, best: 1 },
    updates: { about: "updates", better: "lower", worst: 1000, best: 0 },
  },
  claims: [
    {
      kind: "joint",
      of: [
        { metric: "accuracy", smallest: 0.1, because: "less than half of the paper's 27 points" },
        { kind: "ratio", metric: "updates", smallest: 1.5, because: "the paper has 2.7 times fewer" },
      ],
      because: "both are claimed of the same models",
      paper: "67% after 400 updates, 40% after 1080",
    },
    { metric: "accuracy", smallest: 0.1, because: "the same by itself" },
  ],
  grid: { learningRate: [5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 10_000, quick: 1500 },
  minutes: 3,
  deviations: [
    "Looking into two tables of twelve names stands for a code interpreter, and a transformer of one layer for one of 32 billion weights on AIME. The tables never change: in words alone they can be learned by heart, 36 answers in all, as a calculation can be learned by one who has no calculator.",
    "GRPO stands for PPO. Both sides begin with the same imitation, calls among it; where learning is in words alone, a call is a wrong answer. Models are measured with tools, which those do not ask any more.",
    "Both sides write as many tokens. Answers in words alone are four times as short, so that they have about three times as many updates, as in the paper; the number of updates is no choice of either.",
  ],
  tried: ["Learning rates from 0.004 on unlearn what was imitated."],
  finding: (f) =>
    `More accuracy and fewer updates: ${f.effect(0)}; accuracy alone: ${f.effect(1)}, over ${f.count} seeds. Words alone reach ${f.mean("words alone", "accuracy")} in ${f.mean("words alone", "updates")} updates, with ${f.mean("words alone", "calls")} calls of a question that are left, and ${f.mean("words alone", "solved/4")} where two steps are asked; with tools it is ${f.mean("ReTool", "accuracy")} in ${f.mean("ReTool", "updates")}, ${f.mean("ReTool", "calls")} calls and ${f.mean("ReTool", "solved/4")}. Before it was ${f.mean("ReTool", "before")}. What is known by heart is answered rightly in ${f.mean("words alone", "solved/1")} of the cases without tools and in ${f.mean("ReTool", "solved/1")} with them.`,
});
