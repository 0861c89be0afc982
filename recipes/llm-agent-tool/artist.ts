import { grpo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { paid, tableSides as side, textOnly, within } from "@reins/recipes/talks";

/** The answer, its form, and the share of calls that went well. */
const composite = paid((group) =>
  group.map(
    ({ verdict, calls, failed }) =>
      Number(verdict.score) + (verdict.formed ? 0.1 : 0) + (calls ? (0.1 * (calls - failed)) / calls : 0),
  ),
);

export default recipe({
  id: "artist",
  paper: "Agentic Reasoning and Tool Integration for LLMs via Reinforcement Learning",
  source: "arXiv:2505.01441",
  about:
    "Thinking, calls and what tools answer are one text, and reinforcement by the outcome, with small rewards for form and for calls that run, teaches when to call, how and whom; no step is labelled. Claimed: up to 22 points over the model that it begins with, and more than learning in words alone.",
  system: within(500, side("ARTIST", grpo, {}, { change: composite })),
  baselines: [textOnly("words alone")],
  metrics: {
    accuracy: { about: "held-out accuracy", better: "higher", worst: 0, best: 1 },
    before: { about: "the same before anything is reinforced", better: "higher", worst: 0, best: 1 },
  },
  claims: [
    {
      metric: ["accuracy", "before"],
      smallest: 0.1,
      because: "half of the paper's 22 points, which are its most",
      paper: "up to 22 points",
    },
    { metric: "accuracy", smallest: 0.1, because: "the same over words alone", paper: "the best of all" },
  ],
  grid: { learningRate: [5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 10_000, quick: 1500 },
  minutes: 3,
  deviations: [
    "Questions about two tables of twelve names, each with a tool, stand for mathematics with Python and for calls of functions in several turns; a transformer of one layer for Qwen2.5-7B.",
    "The model that it begins with has imitated someone who uses tools and often goes wrong, so that it knows how calls are written; the paper's base models know tools from elsewhere. What is gained over it depends on how bad that one is, which is a choice of ours.",
    "Form and calls that run earn 0.1 each, beside 1 for the answer. In words alone tables must be learned by heart, by the outcome alone.",
  ],
  tried: [
    "Learning rates from 0.004 on unlearn what was imitated. A first tuning was stopped: a last batch exceeded the budget by 5.2%. ARTIST now stops 500 tokens earlier than the others.",
  ],
  finding: (f) =>
    `How bad the model is that it begins with was chosen here, and GRPO that is paid for the answer alone comes as far (retool): nothing is seen of what form and calls earn. Over the model that it begins with ${f.effect(0)}, over words alone ${f.effect(1)}, over ${f.count} seeds. ARTIST goes from ${f.mean("ARTIST", "before")} to ${f.mean("ARTIST", "accuracy")} with ${f.mean("ARTIST", "calls")} calls of a question, words alone to ${f.mean("words alone", "accuracy")}. By levels, known by heart, one table, the other, both: ARTIST ${f.mean("ARTIST", "solved/1")}, ${f.mean("ARTIST", "solved/2")}, ${f.mean("ARTIST", "solved/3")} and ${f.mean("ARTIST", "solved/4")}; words alone ${f.mean("words alone", "solved/1")}, ${f.mean("words alone", "solved/2")}, ${f.mean("words alone", "solved/3")} and ${f.mean("words alone", "solved/4")}.`,
});
