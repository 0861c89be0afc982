import { grpo } from "@reins/algorithms";
import type { Task } from "@reins/core";
import * as tasks from "@reins/core/tasks";
import { recipe } from "@reins/recipes";
import { modePenalty, modesTask, withCost } from "@reins/recipes/conversations";
import { languageArms } from "@reins/recipes/language";

const arm = languageArms(modesTask);
const alone = (name: string, played: number[]) =>
  withCost(languageArms({ ...modesTask, played })(name, grpo));
const parts = (task: Task) => ({ task: tasks.ledSamples(task, { i: 2, r: 2, t: 2 }) });
const because = "less than half of what the paper saves beside the cheaper of the two";
const cheaper = { kind: "ratio", metric: "cost", smallest: 1.2, because } as const;

export default recipe({
  id: "a2fm-apo",
  paper: "A^2FM: An Adaptive Agent Foundation Model for Tool-Aware Hybrid Reasoning",
  source: "arXiv:2510.12838",
  about:
    "One model answers at once, reasons in text, or uses tools, and its first token says which mode it takes. Adaptive policy optimisation forces some samples of each group into each mode, lets the others choose, and penalises a free sample for a costlier mode than a reliable cheaper one. Claimed: a correct answer costs 45% less than with reasoning always and 33% less than with tools always, at comparable accuracy.",
  system: withCost(arm("APO", grpo, {}, { change: modePenalty, parts })),
  baselines: [alone("thinks always", [4, 5, 6]), alone("tools always", [7, 8, 9])],
  ablations: [withCost(arm("free, not charged", grpo))],
  metrics: {
    cost: { about: "tokens per correct answer", better: "lower", worst: 3000, best: 3 },
    accuracy: { about: "held-out accuracy", better: "higher", worst: 0, best: 1 },
  },
  claims: [
    {
      kind: "joint",
      of: [
        { ...cheaper, contrast: ["APO", "tools always"] },
        { ...cheaper, contrast: ["APO", "thinks always"] },
        {
          kind: "no-worse",
          metric: "accuracy",
          margin: 0.05,
          contrast: ["APO", "tools always"],
          because: "the more accurate of the two; one answer in twenty is what comparable allows",
        },
      ],
      because: "all are claimed of one model",
      paper: "45.2% below thinking, 33.5% below tools, accuracy comparable",
    },
  ],
  grid: { learningRate: [2.5e-4, 5e-4, 1e-3] },
  budget: { unit: "tokens", full: 12_000, quick: 1500 },
  minutes: 2,
  deviations: [
    "Questions about four names, of which a third can be answered from memory, a third by two such steps, and a third only with a tool, replace questions of all kinds; a one-layer transformer replaces a model of 32 billion weights. Two dots between the names of a thought represent its length.",
    "The reward of a correct free sample is 1 − p² if a cheaper mode was correct in a share p ≥ 0.75 of the samples forced into it; forced samples are rewarded for correct answers alone. The abstract says only that rewards include costs and that all modes are sampled.",
    "Cost is the number of generated tokens, not dollars, and a free model spends one of them on its mode. The arms with a fixed mode begin with the same supervised fine-tuning, on a teacher that takes the suitable mode in two of three cases.",
  ],
  tried: [
    "Eight, six and four names after 50,000 or 60,000 SFT tokens: before RL 20 to 43 of a hundred answers were correct in any mode, and the choice of mode was not learned. With four names and 110,000 tokens 73 to 95 were correct, with one seed; at a learning rate of 0.002 all arms lost some of this.",
    "Thoughts of any form: the arm that always reasons learned to write the answer alone. A thought must now contain at least two names.",
  ],
  finding: (f) =>
    `The joint claim fails: choosing the mode saves tokens, less than claimed relative to reasoning, and accuracy falls by more than the margin. The abstract does not give the exact reward, and the tasks are tiny. The joint claim: ${f.effect(0)} over ${f.count} seeds. A correct answer costs ${f.mean("APO", "cost")} tokens with a chosen mode, ${f.mean("tools always", "cost")} with tools always and ${f.mean("thinks always", "cost")} with reasoning always, at accuracies of ${f.mean("APO", "accuracy")}, ${f.mean("tools always", "accuracy")} and ${f.mean("thinks always", "accuracy")}; before RL accuracy was ${f.mean("APO", "before")}, ${f.mean("tools always", "before")} and ${f.mean("thinks always", "before")}. Free choice without the penalty, with APO's settings, costs ${f.mean("free, not charged", "cost")} at ${f.mean("free, not charged", "accuracy")}. For questions answerable from memory, in two steps, and only with a tool, APO answers at once in ${f.mean("APO", "term/instant/1")}, ${f.mean("APO", "term/instant/2")} and ${f.mean("APO", "term/instant/3")} of the cases, and uses tools in ${f.mean("APO", "term/tools/1")}, ${f.mean("APO", "term/tools/2")} and ${f.mean("APO", "term/tools/3")}.`,
});
