import { grpo } from "@reins/algorithms";
import { selections } from "@reins/core";
import { recipe } from "@reins/recipes";
import { tableSides as side, within } from "@reins/recipes/talks";

/** Good groups of earlier updates, as many as fresh ones, are learned from once more. */
const queue = () => ({ selection: selections.queued({ groups: 8, capacity: 16 }) });
const because = "half of the paper's ten points";

export default recipe({
  id: "tool-r1",
  paper: "Tool-R1: Sample-Efficient Reinforcement Learning for Agentic Tool Use",
  source: "arXiv:2509.12867",
  about:
    "Conversations with tools are costly to sample. Tool-R1 keeps good ones in a queue and learns from them again beside fresh ones, so that fewer must be played. Claimed: about ten points more than strong baselines, with more on tasks of several steps.",
  system: within(300, side("Tool-R1", grpo, {}, { parts: queue })),
  baselines: [side("GRPO", grpo), within(300, side("GRPO, two passes", grpo, { epochs: 2 }))],
  metrics: {
    accuracy: { about: "held-out accuracy", better: "higher", worst: 0, best: 1 },
    "solved/4": { about: "accuracy where two steps are needed", better: "higher", worst: 0, best: 1 },
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
    "Questions about two tables of twelve names, by a transformer of one layer, stand for GAIA and Python code. There are no variables: what a call answered stands in the conversation, where the next one takes it from.",
    "A group is good if its plays differ and one is right. It waits for its second use behind at most 16 others; ratios correct for its age. The paper's rule is not in its abstract.",
    "Claims are about equal tokens. Two passes over fresh groups learn as often from each play as the queue does, without one; the paper has no such baseline.",
    "The part of the reward for code that runs is left out: calls hardly ever fail here.",
  ],
  tried: ["Learning rates from 0.004 on unlearn what was imitated, with the queue less than without."],
  finding: (f) =>
    `Passing twice over fresh groups gains more than the queue does, and ten replicates a block are half of what was needed. Against two passes without a queue ${f.effect(1)}; against one ${f.effect(0)}, where two steps are needed ${f.effect(2)}, over ${f.count} seeds. Tool-R1 solves ${f.mean("Tool-R1", "accuracy")}, GRPO ${f.mean("GRPO", "accuracy")} and with two passes ${f.mean("GRPO, two passes", "accuracy")}; before it was ${f.mean("GRPO", "before")}. Two steps are solved in ${f.mean("Tool-R1", "solved/4")}, ${f.mean("GRPO", "solved/4")} and ${f.mean("GRPO, two passes", "solved/4")} of the cases. An update of Tool-R1 learns from ${f.mean("Tool-R1", "groups")} groups, of which 8 are fresh.`,
});
