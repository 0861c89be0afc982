import { grpo } from "@reins/algorithms";
import * as selections from "@reins/core/selections";
import { recipe } from "@reins/recipes";
import { tableArms as arm, tableGrid } from "@reins/recipes/conversations";

/** Good groups of earlier updates are used once more, as many as fresh ones. */
const queue = () => ({ selection: selections.replayGroups({ groups: 8, capacity: 16 }) });
const because = "half of the paper's ten points";

export default recipe({
  id: "tool-r1",
  paper: "Tool-R1: Sample-Efficient Reinforcement Learning for Agentic Tool Use",
  source: "arXiv:2509.12867",
  about:
    "Conversations with tools are expensive to sample. Tool-R1 keeps good ones in a queue and trains on them again together with fresh ones, so that fewer must be sampled. Claimed: about ten points more than strong baselines, with more on tasks of several steps.",
  system: arm("Tool-R1", grpo, {}, { parts: queue }),
  baselines: [arm("GRPO", grpo)],
  metrics: {
    accuracy: { about: "held-out accuracy", better: "higher", worst: 0, best: 1 },
    "solved/4": { about: "accuracy on questions of two steps", better: "higher", worst: 0, best: 1 },
  },
  claims: [
    { metric: "accuracy", smallest: 0.05, because, paper: "about 10 points" },
    { metric: "solved/4", smallest: 0.1, because: "more is claimed of these" },
  ],
  grid: tableGrid,
  budget: { unit: "tokens", full: 10_000, quick: 1500 },
  deviations: [
    "Questions about two tables of twelve names, by a one-layer transformer, replace GAIA and Python code. There are no variables: a call's result stays in the conversation, where the next call takes it from.",
    "A group is good if its samples differ and one is correct. It waits for its second use behind at most 16 others; importance ratios correct for its age. The abstract does not give the paper's rule.",
    "Claims are about equal tokens. Several epochs over fresh groups, with which the baseline is tuned too, train as often on each sample as the queue does; the paper has no such baseline.",
    "The reward for code that runs is left out: calls hardly ever fail here.",
  ],
  tried: [
    "Before, GRPO had one epoch or two in separate arms, Tool-R1 3% fewer tokens than GRPO with one, and accuracy was that of 240 answers.",
    "Learning rates from 0.004 on unlearn the fine-tuning, with the queue less than without.",
  ],
  finding: (f) =>
    `Against GRPO, whose number of epochs is tuned, the queue changes accuracy by ${f.effect(0)}, and that on questions of two steps by ${f.effect(1)}, over ${f.count} seeds. Tool-R1 solves ${f.mean("Tool-R1", "accuracy")}, GRPO ${f.mean("GRPO", "accuracy")}; accuracy before RL was ${f.mean("GRPO", "before")}. Questions of two steps are solved in ${f.mean("Tool-R1", "solved/4")} and ${f.mean("GRPO", "solved/4")} of the cases. An update of Tool-R1 uses ${f.mean("Tool-R1", "groups")} groups, of which 8 are fresh.`,
});
