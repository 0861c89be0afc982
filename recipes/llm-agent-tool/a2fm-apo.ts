import { grpo } from "@reins/algorithms";
import { tasks } from "@reins/core";
import { recipe, type Side } from "@reins/recipes";
import { type ModeQuestion, modeLetters, modeOf, modes, paid, within } from "@reins/recipes/talks";
import { wordsSides } from "@reins/recipes/words";

const task = {
  family: modes,
  levels: [1, 2, 3],
  model: { layers: 1, width: 32, imitation: 110_000 },
  options: { groups: 6, plays: 12, epochs: 1, clipNorm: 1 },
  score: { problems: 80, looks: 1 },
  quick: { model: { imitation: 40_000 } },
};

/** A right answer of a play that was free is worth 1 − p² where its way is dearer than the cheapest that is reliable: right in p ≥ 0.75 of the plays that were led there. */
const apo = paid((group) => {
  const plays = group.map(({ talk, verdict }) => {
    const { lead } = talk.problem.data as ModeQuestion;
    const mode = modeLetters.indexOf(modeOf(lead, talk.messages[talk.opening]?.content));
    return { mode, led: lead !== undefined, right: Number(verdict.score) };
  });
  const sure = modeLetters.map((_, mode) => {
    const led = plays.filter((p) => p.led && p.mode === mode);
    return led.reduce((sum, p) => sum + p.right, 0) / led.length;
  });
  const cheapest = sure.findIndex((p) => p >= 0.75);
  return plays.map(({ mode, led, right }) =>
    !led && cheapest >= 0 && mode > cheapest ? right * (1 - sure[cheapest] ** 2) : right,
  );
});

/** Adds what a right answer costs, in tokens, and stops before a last batch could exceed the budget. */
const costed = (one: Side): Side => {
  const side = within(500, one);
  return {
    ...side,
    content: side.content === undefined ? undefined : [side.content, "cost"],
    async run(trial) {
      const { values, ...rest } = await side.run(trial);
      return { ...rest, values: { ...values, cost: values.tokens / Math.max(values.accuracy, 0.01) } };
    },
  };
};
const side = wordsSides(task);
const alone = (name: string, played: number[]) => costed(wordsSides({ ...task, played })(name, grpo));
const forced = { i: 2, r: 2, t: 2 };
const because = "less than half of what the paper saves beside the cheaper of the two";

export default recipe({
  id: "a2fm-apo",
  paper: "A²FM: An Adaptive Agent Foundation Model for Tool-Aware Hybrid Reasoning",
  source: "arXiv:2510.12838",
  about:
    "One model answers at once, thinks in words, or uses tools, and says by its first token which. Adaptive policy optimization leads some plays of each group into each way, leaves others free to choose, and charges a free one that takes a dearer way than one that is reliable. Claimed: a right answer costs 45% less than where all is thought about and 33% less than where all is asked of tools, at comparable accuracy.",
  system: costed(
    side("APO", grpo, {}, { change: apo, parts: (task) => ({ task: tasks.leading(task, forced) }) }),
  ),
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
        { kind: "ratio", metric: "cost", smallest: 1.2, contrast: ["APO", "tools always"], because },
        { kind: "ratio", metric: "cost", smallest: 1.2, contrast: ["APO", "thinks always"], because },
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
    `The joint claim: ${f.effect(0)} over ${f.count} seeds. A right answer costs ${f.mean("APO", "cost")} tokens where the way is chosen, ${f.mean("tools always", "cost")} with tools always and ${f.mean("thinks always", "cost")} with thinking always, at accuracies of ${f.mean("APO", "accuracy")}, ${f.mean("tools always", "accuracy")} and ${f.mean("thinks always", "accuracy")}; before it was ${f.mean("APO", "before")}, ${f.mean("tools always", "before")} and ${f.mean("thinks always", "before")}. Where plays are free and not charged, with the same settings, it costs ${f.mean("free, not charged", "cost")} at ${f.mean("free, not charged", "accuracy")}. By kinds, known by heart, in two steps, only by a tool, APO answers at once in ${f.mean("APO", "term/instant/1")}, ${f.mean("APO", "term/instant/2")} and ${f.mean("APO", "term/instant/3")} of the cases, and uses tools in ${f.mean("APO", "term/tools/1")}, ${f.mean("APO", "term/tools/2")} and ${f.mean("APO", "term/tools/3")}.`,
});
