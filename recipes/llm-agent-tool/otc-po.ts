import { grpo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { tableArms as arm, type RewardedConversation, withRewards } from "@reins/recipes/conversations";

/** Reward factor of m calls where n is the minimum of a correct sample: 1 at n, less beyond. c is 2 if n is 0. */
const worth = (m: number, n: number) => {
  if (n > 0) return Math.sin(((2 * n * m) / (m + n)) * (Math.PI / (2 * n)));
  return m === 0 ? 1 : Math.cos((m * Math.PI) / (2 * m + 2));
};
const isRight = ({ verdict }: RewardedConversation) => verdict.score === 1;
const economy = withRewards((group) => {
  const fewest = Math.min(...group.filter(isRight).map((t) => t.calls));
  return group.map((t) => (isRight(t) ? worth(t.calls, fewest) : 0));
});
const because = "a fifth of a call where none is needed, for at most five points" as const;

export default recipe({
  id: "otc-po",
  paper: "OTC: Optimal Tool Calls via Reinforcement Learning",
  source: "arXiv:2504.14870",
  about:
    "With a reward for correct answers alone, a model calls tools even where it has the answer memorised. OTC-GRPO multiplies the reward of a correct answer by a factor that is 1 for the smallest number of calls among the group's correct samples, and less for more calls. Claimed: up to 73% fewer calls at comparable accuracy.",
  system: arm("OTC-GRPO", grpo, {}, { change: economy }),
  baselines: [arm("GRPO", grpo)],
  metrics: {
    accuracy: { about: "held-out accuracy", better: "higher", worst: 0, best: 1 },
    "calls/1": {
      about: "calls per question answerable from memory",
      better: "lower",
      worst: 4,
      best: 0,
    },
    calls: { about: "calls per question", better: "lower", worst: 4, best: 0 },
  },
  claims: [
    {
      kind: "joint",
      of: [
        { metric: "calls/1", smallest: 0.2, because },
        { kind: "no-worse", metric: "accuracy", margin: 0.05, because },
      ],
      because: "fewer calls alone are not an improvement",
      paper: "up to 73% fewer calls, comparable accuracy",
    },
    { metric: "calls", smallest: 0.1, because: "of 1.2 calls that are usual and 1.0 that are needed, half" },
  ],
  grid: { learningRate: [5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 10_000, quick: 1500 },
  minutes: 3,
  deviations: [
    "Questions about two tables of twelve names, by a one-layer transformer, replace question answering and mathematics with search and code. A quarter of the questions can be answered from memory, and only there can calls be saved; all others need one or two calls until their answers are memorised too.",
    "The minimum number of calls is that of the correct samples in the group, not the smallest ever seen for the question.",
    "The initial model is fine-tuned on 60,000 tokens of a teacher that calls a tool for six of ten questions it could answer from memory. RL takes 10,000 tokens, about 25 updates.",
    "Productivity, correct answers per call, is not claimed: it is the ratio of two means that are.",
  ],
  tried: [
    "Sums of digits with a calculator: after 160,000 tokens a one-layer model still could not copy the arguments.",
    "Learning rates from 0.004 on unlearn the fine-tuning, with and without the penalty. Penalties other than the paper's were not tried.",
  ],
  finding: (f) =>
    `OTC-GRPO makes fewer needless calls without losing accuracy; the size of the saving is open. Only a quarter of the questions leaves room to save calls. Fewer needless calls, and accuracy: ${f.effect(0)}; fewer calls overall: ${f.effect(1)}, over ${f.count} seeds. OTC-GRPO calls ${f.mean("OTC-GRPO", "calls/1")} times where no call is needed and GRPO ${f.mean("GRPO", "calls/1")} times; over all questions ${f.mean("OTC-GRPO", "calls")} and ${f.mean("GRPO", "calls")}, at accuracies of ${f.mean("OTC-GRPO", "accuracy")} and ${f.mean("GRPO", "accuracy")}, before RL ${f.mean("GRPO", "before")}. Questions of two steps are solved in ${f.mean("OTC-GRPO", "solved/4")} and ${f.mean("GRPO", "solved/4")} of the cases.`,
});
