import { grpo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { type PaidTalk, paid, tableSides as side } from "@reins/recipes/talks";

/** What m calls are worth where n are the fewest of a right play: 1 at n, less beyond. c is 2 where none is the fewest. */
const worth = (m: number, n: number) => {
  if (n > 0) return Math.sin(((2 * n * m) / (m + n)) * (Math.PI / (2 * n)));
  return m === 0 ? 1 : Math.cos((m * Math.PI) / (2 * m + 2));
};
const isRight = ({ verdict }: PaidTalk) => verdict.score === 1;
const economy = paid((group) => {
  const fewest = Math.min(...group.filter(isRight).map((t) => t.calls));
  return group.map((t) => (isRight(t) ? worth(t.calls, fewest) : 0));
});
const because = "a fifth of a call where none is needed, for at most five points" as const;

export default recipe({
  id: "otc-po",
  paper: "OTC: Optimal Tool Calls via Reinforcement Learning",
  source: "arXiv:2504.14870",
  about:
    "Paid for right answers alone, a model asks its tools also where it knows the answer. OTC-GRPO multiplies the reward of a right answer by a factor that is 1 for as many calls as the thriftiest right play of the group made, and less for more. Claimed: up to 73% fewer calls at comparable accuracy.",
  system: side("OTC-GRPO", grpo, {}, { change: economy }),
  baselines: [side("GRPO", grpo)],
  metrics: {
    accuracy: { about: "held-out accuracy", better: "higher", worst: 0, best: 1 },
    "calls/1": {
      about: "calls of a question that can be known by heart",
      better: "lower",
      worst: 4,
      best: 0,
    },
    calls: { about: "calls of a question", better: "lower", worst: 4, best: 0 },
  },
  claims: [
    {
      kind: "joint",
      of: [
        { metric: "calls/1", smallest: 0.2, because },
        { kind: "no-worse", metric: "accuracy", margin: 0.05, because },
      ],
      because: "thrift alone is no merit",
      paper: "up to 73% fewer calls, comparable accuracy",
    },
    { metric: "calls", smallest: 0.1, because: "of 1.2 calls that are usual and 1.0 that are needed, half" },
  ],
  grid: { learningRate: [5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 10_000, quick: 1500 },
  minutes: 3,
  deviations: [
    "Questions about two tables of twelve names, by a transformer of one layer, stand for question answering and mathematics with search and code. A quarter of the questions can be known by heart, and there alone is something to save; all others need one or two calls until their answers are known too.",
    "The fewest calls are those of the right plays in the group, and not the fewest that were ever seen of the question.",
    "The model begins with 60,000 tokens of someone who asks in six of ten cases what is known by heart. Learning takes 10,000 tokens, about 25 updates.",
    "Productivity, right answers per call, is not claimed: it is the quotient of two means that are.",
  ],
  tried: [
    "Sums of digits with a calculator: after 160,000 tokens one layer still did not copy its arguments.",
    "Learning rates from 0.004 on unlearn what was imitated, with and without a price. Prices other than the paper's were not tried.",
  ],
  finding: (f) =>
    `Calls that are not needed and accuracy: ${f.effect(0)}; all calls: ${f.effect(1)}, over ${f.count} seeds. OTC-GRPO calls ${f.mean("OTC-GRPO", "calls/1")} times where none is needed and GRPO ${f.mean("GRPO", "calls/1")} times; over all questions it is ${f.mean("OTC-GRPO", "calls")} and ${f.mean("GRPO", "calls")}, at accuracies of ${f.mean("OTC-GRPO", "accuracy")} and ${f.mean("GRPO", "accuracy")}, before ${f.mean("GRPO", "before")}. Questions of two steps are answered rightly in ${f.mean("OTC-GRPO", "solved/4")} and ${f.mean("GRPO", "solved/4")} of the cases.`,
});
