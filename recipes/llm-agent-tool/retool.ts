import { grpo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { tableArms as arm, textOnly } from "@reins/recipes/conversations";

export default recipe({
  id: "retool",
  paper: "ReTool: Reinforcement Learning for Strategic Tool Use in LLMs",
  source: "arXiv:2504.11536",
  about:
    "A model fine-tuned on answers with interleaved tool calls is trained with RL on the outcome alone, with its calls executed during generation; tool results are masked from the loss. Claimed: compared with RL on text alone, higher accuracy (67% against 40%) after fewer updates (400 against 1080).",
  system: arm("ReTool", grpo),
  baselines: [textOnly("words alone")],
  metrics: {
    accuracy: { about: "held-out accuracy", better: "higher", worst: 0, best: 1 },
    updates: { about: "number of updates", better: "lower", worst: 1000, best: 0 },
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
    "Lookups in two tables of twelve names replace a code interpreter, and a one-layer transformer replaces a model of 32 billion weights on AIME. The tables never change: with text alone they can be memorised, 36 answers in all.",
    "GRPO replaces PPO. Both arms begin with the same fine-tuning, calls included; with text alone a call is a wrong answer. Models are evaluated with tools, which the text-only model has stopped calling.",
    "Both arms generate the same number of tokens. Text-only answers are four times as short, so that they get about three times as many updates, as in the paper; the number of updates follows from the token budget.",
  ],
  tried: ["Learning rates from 0.004 on unlearn the fine-tuning."],
  finding: (f) =>
    `Tools give higher accuracy after fewer updates, as claimed. The number of updates follows from the token budget, so only the accuracy is a test. More accuracy, and fewer updates: ${f.effect(0)}; accuracy alone: ${f.effect(1)}, over ${f.count} seeds. Text alone reaches ${f.mean("words alone", "accuracy")} in ${f.mean("words alone", "updates")} updates, with ${f.mean("words alone", "calls")} remaining calls per question and ${f.mean("words alone", "solved/4")} on questions of two steps; tools reach ${f.mean("ReTool", "accuracy")} in ${f.mean("ReTool", "updates")}, with ${f.mean("ReTool", "calls")} calls and ${f.mean("ReTool", "solved/4")}. Accuracy before RL was ${f.mean("ReTool", "before")}. Questions answerable from memory are solved in ${f.mean("words alone", "solved/1")} of the cases without tools and in ${f.mean("ReTool", "solved/1")} with them.`,
});
