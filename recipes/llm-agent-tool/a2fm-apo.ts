import { grpo } from "@reins/algorithms";
import { type Task, tasks } from "@reins/core";
import { recipe } from "@reins/recipes";
import { chargedForMode, costed, modesTask } from "@reins/recipes/talks";
import { wordsSides } from "@reins/recipes/words";

const side = wordsSides(modesTask);
const alone = (name: string, played: number[]) => costed(wordsSides({ ...modesTask, played })(name, grpo));
const parts = (task: Task) => ({ task: tasks.leading(task, { i: 2, r: 2, t: 2 }) });
const because = "less than half of what the paper saves beside the cheaper of the two";
const cheaper = { kind: "ratio", metric: "cost", smallest: 1.2, because } as const;

export default recipe({
  id: "a2fm-apo",
  paper: "A^2FM: An Adaptive Agent Foundation Model for Tool-Aware Hybrid Reasoning",
  source: "arXiv:2510.12838",
  about:
    "One model answers at once, thinks in words, or uses tools, and says by its first token which. Adaptive policy optimization leads some plays of each group into each way, leaves others free to choose, and charges a free one that takes a dearer way than one that is reliable. Claimed: a right answer costs 45% less than where all is thought about and 33% less than where all is asked of tools, at comparable accuracy.",
  system: costed(side("APO", grpo, {}, { change: chargedForMode, parts })),
  baselines: [alone("thinks always", [4, 5, 6]), alone("tools always", [7, 8, 9])],
  ablations: [costed(side("free, not charged", grpo))],
  metrics: {
    cost: { about: "tokens for a right answer", better: "lower", worst: 3000, best: 3 },
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
    "Questions about four names, of which a third can be answered by heart, a third by two such steps, and a third only by a tool, stand for questions of all kinds; a transformer of one layer for one of 32 billion weights. Two dots between the names of a thought stand for its length.",
    "A right answer of a free play is worth 1 − p² where a cheaper way was right in p of the plays that were led into it, 0.75 or more; led plays are paid for right answers alone. The abstract says only that rewards count costs and that all ways are sampled.",
    "Costs are tokens that the model writes, not dollars, and a model that is free spends one of them on saying which way it takes. Those who always think or always use tools begin with the same imitation, of somebody who takes the way that fits in two of three cases.",
  ],
  tried: [
    "Eight, six and four names after 50,000 or 60,000 imitated tokens: before anything was reinforced 20 to 43 of a hundred answers were right in any way, and nothing was learned about which fits. With four names and 110,000 it was 73 to 95, with one seed; at a learning rate of 0.002 all sides lost some of it.",
    "Thoughts of any form: those who always think came to say the answer alone. They must name two names at least now.",
  ],
  finding: (f) =>
    `Accuracy is given up for it. The joint claim: ${f.effect(0)} over ${f.count} seeds. A right answer costs ${f.mean("APO", "cost")} tokens where the way is chosen, ${f.mean("tools always", "cost")} with tools always and ${f.mean("thinks always", "cost")} with thinking always, at accuracies of ${f.mean("APO", "accuracy")}, ${f.mean("tools always", "accuracy")} and ${f.mean("thinks always", "accuracy")}; before it was ${f.mean("APO", "before")}, ${f.mean("tools always", "before")} and ${f.mean("thinks always", "before")}. Where plays are free and not charged, with the same settings, it costs ${f.mean("free, not charged", "cost")} at ${f.mean("free, not charged", "accuracy")}. By kinds, known by heart, in two steps, only by a tool, APO answers at once in ${f.mean("APO", "term/instant/1")}, ${f.mean("APO", "term/instant/2")} and ${f.mean("APO", "term/instant/3")} of the cases, and uses tools in ${f.mean("APO", "term/tools/1")}, ${f.mean("APO", "term/tools/2")} and ${f.mean("APO", "term/tools/3")}.`,
});
