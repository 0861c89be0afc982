import { grpo, ppo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { tableArms, tableCriticArms, tableGrid, textOnly } from "@reins/recipes/conversations";

export default recipe({
  id: "retool",
  paper: "ReTool: Reinforcement Learning for Strategic Tool Use in LLMs",
  source: "arXiv:2504.11536",
  about:
    "A model fine-tuned on answers with interleaved tool calls is trained by PPO with the outcome alone as reward; calls are executed during generation, and their results are masked from the loss. Claimed: compared with RL on text alone, higher accuracy (67% against 40%) after fewer updates (400 against 1080).",
  system: tableCriticArms("ReTool", ppo),
  baselines: [tableArms("GRPO", grpo), textOnly("words alone")],
  metrics: {
    accuracy: { about: "held-out accuracy", better: "higher", worst: 0, best: 1 },
  },
  claims: [
    {
      metric: "accuracy",
      smallest: 0.03,
      contrast: ["ReTool", "GRPO"],
      because: "less does not pay for a critic",
      paper: "not compared with methods without a critic",
    },
    {
      metric: "accuracy",
      smallest: 0.1,
      contrast: ["ReTool", "words alone"],
      because: "less than half of the paper's 27 points",
      paper: "67% after 400 updates, 40% after 1080",
    },
  ],
  grid: tableGrid,
  budget: { unit: "tokens", full: 10_000, quick: 1500 },
  deviations: [
    "Lookups in two tables of twelve names replace a code interpreter, and a one-layer transformer replaces a model of 32 billion weights on AIME. The tables never change: with text alone they can be memorised, 36 answers in all.",
    "GRPO with the same tools and tokens is added as a baseline: what the paper compares is tools with text alone, which a tool that knows the answers decides. The number of updates follows from the token budget and is not claimed.",
    "All arms begin with the same fine-tuning, calls included; with text alone a call is a wrong answer. Models are evaluated with tools. The critic is a head of the policy's network, with λ and the discount factor of 1.",
  ],
  tried: [
    "Learning rates from 0.004 on unlearn the fine-tuning.",
    "Before, ReTool was GRPO with tools, which is the baseline of the other systems, all arms had one epoch, and accuracy was that of 240 answers.",
  ],
  finding: (f) =>
    `Against GRPO with the same tools ReTool's critic changes accuracy by ${f.effect(0)}, and tools against text alone by ${f.effect(1)}, over ${f.count} seeds. ReTool reaches ${f.mean("ReTool", "accuracy")} with ${f.mean("ReTool", "calls")} calls per question in ${f.mean("ReTool", "updates")} updates, GRPO ${f.mean("GRPO", "accuracy")} with ${f.mean("GRPO", "calls")} in ${f.mean("GRPO", "updates")}, text alone ${f.mean("words alone", "accuracy")} in ${f.mean("words alone", "updates")}; on questions of two steps ${f.mean("ReTool", "solved/4")}, ${f.mean("GRPO", "solved/4")} and ${f.mean("words alone", "solved/4")}. Accuracy before RL was ${f.mean("ReTool", "before")}. Questions answerable from memory are solved in ${f.mean("words alone", "solved/1")} of the cases without tools and in ${f.mean("ReTool", "solved/1")} with them.`,
});
