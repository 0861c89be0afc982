import { grpo } from "@reins/algorithms";
import * as selections from "@reins/core/selections";
import { recipe } from "@reins/recipes";
import { tableArms as arm, withReserve } from "@reins/recipes/conversations";

/** Good groups of earlier updates are used once more, as many as fresh ones. */
const queue = () => ({ selection: selections.replayGroups({ groups: 8, capacity: 16 }) });
const because = "half of the paper's ten points";

export default recipe({
  id: "tool-r1",
  paper: "Tool-R1: Sample-Efficient Reinforcement Learning for Agentic Tool Use",
  source: "arXiv:2509.12867",
  about:
    "Conversations with tools are expensive to sample. Tool-R1 keeps good ones in a queue and trains on them again together with fresh ones, so that fewer must be sampled. Claimed: about ten points more than strong baselines, with more on tasks of several steps.",
  system: withReserve(300, arm("Tool-R1", grpo, {}, { parts: queue })),
  baselines: [arm("GRPO", grpo), withReserve(300, arm("GRPO, two passes", grpo, { epochs: 2 }))],
  metrics: {
    accuracy: { about: "held-out accuracy", better: "higher", worst: 0, best: 1 },
    "solved/4": { about: "accuracy on questions of two steps", better: "higher", worst: 0, best: 1 },
  },
  claims: [
    { metric: "accuracy", smallest: 0.05, contrast: ["Tool-R1", "GRPO"], because, paper: "about 10 points" },
    { metric: "accuracy", smallest: 0.05, contrast: ["Tool-R1", "GRPO, two passes"], because },
    { metric: "solved/4", smallest: 0.1, contrast: ["Tool-R1", "GRPO"], because: "more is claimed of these" },
  ],
  grid: { learningRate: [5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 10_000, quick: 1500 },
  minutes: 1,
  deviations: [
    "Questions about two tables of twelve names, by a one-layer transformer, replace GAIA and Python code. There are no variables: a call's result stays in the conversation, where the next call takes it from.",
    "A group is good if its samples differ and one is correct. It waits for its second use behind at most 16 others; importance ratios correct for its age. The abstract does not give the paper's rule.",
    "Claims are about equal tokens. Two epochs over fresh groups train as often on each sample as the queue does; the paper has no such baseline.",
    "The reward for code that runs is left out: calls hardly ever fail here.",
  ],
  tried: ["Learning rates from 0.004 on unlearn the fine-tuning, with the queue less than without."],
  finding: (f) =>
    `The queue's gain over plain GRPO is negligible. Two epochs over fresh groups gain more than the queue, and ten replicates per block are half of the number needed. Against two epochs without a queue ${f.effect(1)}; against one ${f.effect(0)}, on questions of two steps ${f.effect(2)}, over ${f.count} seeds. Tool-R1 solves ${f.mean("Tool-R1", "accuracy")}, GRPO ${f.mean("GRPO", "accuracy")} and with two epochs ${f.mean("GRPO, two passes", "accuracy")}; accuracy before RL was ${f.mean("GRPO", "before")}. Questions of two steps are solved in ${f.mean("Tool-R1", "solved/4")}, ${f.mean("GRPO", "solved/4")} and ${f.mean("GRPO, two passes", "solved/4")} of the cases. An update of Tool-R1 uses ${f.mean("Tool-R1", "groups")} groups, of which 8 are fresh.`,
});
