import { grpo } from "@reins/algorithms";
import { type Stage, targets } from "@reins/core";
import { type BranchesOptions, branches, type TextStageOptions, totals } from "@reins/language";
import { recipe } from "@reins/recipes";
import { wordsSides } from "@reins/recipes/words";

/** Six digits are added step by step, and only the last total is judged. The model has imitated a teacher that slips at one step in four. */
const side = wordsSides({
  family: totals(6),
  levels: [1],
  model: { layers: 1, width: 32, teacher: totals(6, 0.25), imitation: 120_000 },
  options: { groups: 8, plays: 10, epochs: 1, clipNorm: 1 },
  score: { problems: 600 },
  quick: { family: totals(3), model: { teacher: totals(3, 0.25), imitation: 10_000 } },
});

/** A stretch's advantage: how much better it is than the root (global) and than the stretch before (local), over √ of its answers. */
const treeRl = grpo.with("treerl", {
  target: (batch, rewards) => ({ advantage: targets.treeAdvantages(rewards, batch) }),
});
/** EPTree: three stems, of each the two least likely tokens forked, two other ends from there: fifteen answers for the tokens of ten. */
const trees = (by: BranchesOptions["by"]) => ({
  change: (stage: Stage, options: TextStageOptions) => ({ ...stage, play: branches(options, { by }) }),
});
const points = { metric: "accuracy", smallest: 0.03, because: "what the paper gains with Qwen-2.5-14B" };

export default recipe({
  id: "treerl",
  paper: "TreeRL: LLM Reinforcement Learning with On-Policy Tree Search",
  source: "arXiv:2506.11902",
  about:
    "A few answers are written to each problem, then other ends of them from the tokens that the model found least likely; what they share is written once. Each stretch of this tree is worth the mean reward of the answers through it, and its advantage is how much better that is than the root and than the stretch before, over the root of the number of those answers. Claimed: higher accuracy than independent answers with one advantage each, at the same number of written tokens.",
  system: side("TreeRL", treeRl, { plays: 3 }, trees("surprise")),
  baselines: [
    side("GRPO", grpo),
    side("RLOO", grpo, { baseline: "others", scale: "none" }),
    side("TreeRL, forks anywhere", treeRl, { plays: 3 }, trees("random")),
  ],
  ablations: [side("trees with one advantage an answer", grpo, { plays: 3 }, trees("surprise"))],
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
    "A model of one layer that adds six digits stands for models of 7B to 14B on competition mathematics, and answers of seven tokens for thousands.",
    "The paper has six stems a tree. Only the last token is kept from being forked, and what the model found least likely stands for what it was least certain of. The advantage follows a summary of the paper; its public code compares leaves in a slightly different way.",
    "Independent answers, the paper's chains, have GRPO's advantages, which are divided by the deviation, or RLOO's, which are not, as the tree's are not.",
  ],
  tried: ["Eight digits: every side ended at a fifth.", "Five or nine, as figures: trees were not ahead."],
  finding: (f) =>
    `At equal tokens the gain at the end is ${f.effect(0)} over GRPO, ${f.effect(1)} over RLOO and ${f.effect(2)} over trees that fork anywhere. Accuracy goes from ${f.mean("GRPO", "before")} to ${f.mean("TreeRL", "accuracy")} with TreeRL, ${f.mean("GRPO", "accuracy")} with GRPO, ${f.mean("RLOO", "accuracy")} with RLOO, ${f.mean("TreeRL, forks anywhere", "accuracy")} with forks anywhere and ${f.mean("trees with one advantage an answer", "accuracy")} with one advantage an answer; its mean along training is ${f.mean("TreeRL", "area")} with TreeRL and ${f.mean("GRPO", "area")} with GRPO. Groups that agree and teach nothing are ${f.mean("TreeRL", "flat")} of all with trees, ${f.mean("GRPO", "flat")} with independent answers.`,
});
