import { grpo } from "@reins/algorithms";
import type { Task } from "@reins/core";
import * as tasks from "@reins/core/tasks";
import { letters } from "@reins/language";
import { recipe } from "@reins/recipes";
import { languageArms } from "@reins/recipes/language";

/** Sorting three to six letters: levels are learned one after the other. */
const arm = languageArms({
  task: letters,
  levels: [2, 3, 4, 5],
  model: { layers: 1, width: 32, imitation: 120_000, unreliable: { tokens: 6000, wrong: 0.7 } },
  options: { groups: 16, groupSize: 8, epochs: 1, clipNorm: 1 },
  score: { problems: 250, updates: 30 },
  quick: { levels: [1], model: { imitation: 12_000 } },
});

/** Keeps groups whose variance, as a share of the maximum (the paper's p), reaches a threshold, and fills up from the bank. */
const banked = (replays: number) => (given: Task) => {
  const both = tasks.varianceBank(given, { replays });
  return { task: both, selection: both };
};
const points = { smallest: 0.02, because: "fewer do not pay for a bank; the paper gains over twice as many" };
const flat = { metric: "flat", least: 0.3, because: "where all groups vary there is nothing to choose" };

export default recipe({
  id: "vcrl",
  paper: "VCRL: Variance-based Curriculum Reinforcement Learning for Large Language Models",
  source: "arXiv:2509.19803",
  about:
    "The variance of a group's rewards measures how hard a problem is for the current model: it is highest where half of the answers are correct. VCRL trains only on groups whose variance is at least a share of the maximum (0.3, after 20 updates 0.8), and fills the batch with problems that had such a variance before, from a memory bank whose priorities rise with waiting time. Claimed: higher accuracy than GRPO, DAPO and GSPO.",
  system: arm("VCRL", grpo, {}, { parts: banked(2) }),
  baselines: [arm("GRPO", grpo), arm("dynamic sampling", grpo, { filter: "refill" })],
  ablations: [arm("VCRL without the bank", grpo, {}, { parts: banked(0) })],
  metrics: {
    area: { about: "held-out accuracy over training", better: "higher", worst: 0, best: 1 },
    "accuracy/updates": { about: "held-out accuracy after 30 updates", better: "higher", worst: 0, best: 1 },
  },
  claims: [
    { metric: "accuracy/updates", ...points, presupposes: flat, paper: "4.7 points over GSPO, Qwen3-8B" },
    { metric: "area", ...points },
  ],
  grid: { learningRate: [2.5e-4, 5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 60_000, quick: 2000 },
  minutes: 8,
  deviations: [
    "Sorting letters with a one-layer model replaces mathematics and models of 4 and 8 billion weights. It is fine-tuned on a teacher, then briefly on one whose answers mostly belong to another problem, so that correct answers become rare.",
    "The paper compares equal updates. Learning rates are tuned at equal tokens, including filtered ones, so the first claim is about an early moment. GSPO is left out, and DAPO is its dynamic sampling alone.",
    "Problems from the bank are answered again by the current model, and return if they still vary enough, at most twice. The paper does not say whether old answers are used. Problems are unlimited: only those from the bank occur twice.",
  ],
  tried: ["One reliable teacher, two to eight letters: VCRL gained three points at equal tokens."],
  finding: (f) =>
    `After 30 updates the comparison is undecided, and over training at equal tokens the claim is reversed. Filtered groups count towards the token budget, and learning rates were tuned at equal tokens, where the paper compares equal updates. At equal tokens the gain over the better baseline is ${f.effect(1)}, after 30 updates ${f.effect(0)}. VCRL trains on ${f.mean("VCRL", "groups")} groups per update, GRPO on ${f.mean("GRPO", "groups")}, of which a share of ${f.mean("GRPO", "flat")} has no variance, which costs tokens and changes no weight. There are ${f.mean("VCRL", "updates")} updates with VCRL, ${f.mean("GRPO", "updates")} with GRPO, ${f.mean("dynamic sampling", "updates")} with dynamic sampling, and accuracy goes from ${f.mean("GRPO", "before")} to ${f.mean("VCRL", "accuracy")}, ${f.mean("GRPO", "accuracy")} and ${f.mean("dynamic sampling", "accuracy")}; without the bank to ${f.mean("VCRL without the bank", "accuracy")}.`,
});
