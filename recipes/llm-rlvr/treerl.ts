import { grpo } from "@reins/algorithms";
import type { Stage } from "@reins/core";
import * as targets from "@reins/core/targets";
import { type BranchesOptions, branches, type TextStageOptions, totals } from "@reins/language";
import { recipe } from "@reins/recipes";
import { languageArms } from "@reins/recipes/language";

/** Adding six digits step by step, with a reward for the last total. The teacher errs in one step of four. */
const arm = languageArms({
  task: totals(6),
  levels: [1],
  model: { layers: 1, width: 32, teacher: totals(6, 0.25), imitation: 120_000 },
  options: { groups: 8, groupSize: 10, epochs: 1, clipNorm: 1 },
  score: { problems: 600 },
  quick: { task: totals(3), model: { teacher: totals(3, 0.25), imitation: 10_000 } },
});

/** A segment's advantage: its value minus the root's (global) and minus the previous segment's (local), over √ of its answers. */
const treeRl = grpo.with("treerl", {
  target: (batch, rewards) => ({ advantage: targets.treeAdvantages(rewards, batch) }),
});
/** EPTree: three stems, two branching points each, two branches per point: fifteen answers for the tokens of ten. */
const trees = (by: BranchesOptions["by"]) => ({
  change: (stage: Stage, options: TextStageOptions) => ({ ...stage, play: branches(options, { by }) }),
});
const points = { metric: "accuracy", smallest: 0.03, because: "what the paper gains with Qwen-2.5-14B" };

export default recipe({
  id: "treerl",
  paper: "TreeRL: LLM Reinforcement Learning with On-Policy Tree Search",
  source: "arXiv:2506.11902",
  about:
    "A few answers are sampled for each problem, then branched at the tokens with the lowest probability; shared prefixes are generated once. The value of a segment of this tree is the mean reward of the answers through it, and its advantage compares that with the root and with the previous segment, divided by the square root of the number of answers. Claimed: higher accuracy than independent answers with one advantage each, at the same number of generated tokens.",
  system: arm("TreeRL", treeRl, { groupSize: 3 }, trees("surprise")),
  baselines: [
    arm("GRPO", grpo),
    arm("RLOO", grpo, { baseline: "others", scale: "none" }),
    arm("TreeRL, forks anywhere", treeRl, { groupSize: 3 }, trees("random")),
  ],
  ablations: [arm("trees with one advantage an answer", grpo, { groupSize: 3 }, trees("surprise"))],
  metrics: { accuracy: { about: "held-out accuracy at the end", better: "higher", worst: 0, best: 1 } },
  claims: [
    { ...points, contrast: ["TreeRL", "GRPO"], paper: "2.9 points (Qwen-14B), 2.1 (GLM-9B), 1.3 (R1-7B)" },
    { ...points, contrast: ["TreeRL", "RLOO"] },
    { ...points, contrast: ["TreeRL", "TreeRL, forks anywhere"] },
  ],
  grid: { learningRate: [5e-4, 1e-3, 2e-3, 4e-3] },
  budget: { unit: "tokens", full: 40_000, quick: 1000 },
  minutes: 8,
  deviations: [
    "A one-layer model that adds six digits replaces models of 7B to 14B on competition mathematics, and answers of seven tokens replace thousands.",
    "The paper has six stems per tree. Only the last token is excluded from branching, and low probability replaces high entropy as the criterion. The advantage follows a summary of the paper; its public code compares leaves in a slightly different way.",
    "Independent answers, the paper's chains, have GRPO's advantages, which are divided by the standard deviation, or RLOO's, which are not, as the tree's are not.",
  ],
  tried: ["Eight digits: every arm ended at a fifth.", "Five or nine, as figures: trees were not ahead."],
  finding: (f) =>
    `TreeRL is better than GRPO by an uncertain amount. Its gain over RLOO, whose advantages are also unscaled, is undecided. At equal tokens the final gain is ${f.effect(0)} over GRPO, ${f.effect(1)} over RLOO and ${f.effect(2)} over trees with random branching. Accuracy goes from ${f.mean("GRPO", "before")} to ${f.mean("TreeRL", "accuracy")} with TreeRL, ${f.mean("GRPO", "accuracy")} with GRPO, ${f.mean("RLOO", "accuracy")} with RLOO, ${f.mean("TreeRL, forks anywhere", "accuracy")} with random branching and ${f.mean("trees with one advantage an answer", "accuracy")} with one advantage per answer; its mean over training is ${f.mean("TreeRL", "area")} with TreeRL and ${f.mean("GRPO", "area")} with GRPO. Groups without a gradient are ${f.mean("TreeRL", "flat")} of all with trees, ${f.mean("GRPO", "flat")} with independent answers.`,
});
