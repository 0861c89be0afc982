import { grpo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import {
  tableArms as arm,
  type RewardedConversation,
  type TableQuestion,
  withReserve,
  withTurnRewards,
} from "@reins/recipes/conversations";

/** A successful call earns 0.1, and 0.4 more if it is the next one of the solution. */
function steps({ result: { messages, opening, problem } }: RewardedConversation): number[] {
  const { way } = problem.data as TableQuestion;
  let done = 0;
  return messages.slice(opening).flatMap((message, i, all) => {
    if (message.role !== "assistant") return [];
    const [call] = message.calls ?? [];
    if (!call) return [0];
    const went = !all[i + 1]?.content.startsWith("error");
    const next = way[done] === `${call.name}(${(call.arguments as { name?: string }).name})`;
    if (next) done++;
    return [(went ? 0.1 : 0) + (next ? 0.4 : 0)];
  });
}
const because = "less does not pay for judging each step";

export default recipe({
  id: "steptool",
  paper: "StepTool: A Step-grained Reinforcement Learning Framework for Tool Learning in LLMs",
  source: "arXiv:2410.07745",
  about:
    "Each tool call is a step with its own reward: for success, and for its contribution to the task. The policy gradient then credits each turn with the rewards from that turn on. Claimed: clearly better than existing methods, which reward the outcome alone, on tasks of several steps.",
  system: withReserve(800, arm("StepTool", grpo, { credit: "turn" }, { change: withTurnRewards(steps) })),
  baselines: [arm("GRPO", grpo)],
  ablations: [withReserve(800, arm("turns, paid in the end", grpo, { credit: "turn" }))],
  metrics: {
    accuracy: { about: "held-out accuracy", better: "higher", worst: 0, best: 1 },
    "solved/4": { about: "accuracy on questions of two steps", better: "higher", worst: 0, best: 1 },
    calls: { about: "calls per question", better: "lower", worst: 4, best: 0 },
  },
  claims: [
    { metric: "accuracy", smallest: 0.05, because },
    { metric: "solved/4", smallest: 0.1, because },
  ],
  grid: { learningRate: [5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 10_000, quick: 1500 },
  minutes: 3,
  deviations: [
    "Questions about two tables of twelve names, by a one-layer transformer, replace tasks with many APIs. The longest solution has two calls; a quarter of the questions needs none, and calls are rewarded there as well.",
    "A program decides which call is the next of the solution; the paper asks a language model. A successful call earns 0.1, a contributing one 0.4 more, the correct answer 1: the abstract does not give the paper's weights.",
    "StepTool's budget is 800 tokens smaller than GRPO's 10,000: where it calls until the turns run out, a last batch would exceed the budget.",
    "Turns are compared with the same turn of the group's other samples, without a critic, instead of PPO.",
  ],
  tried: [
    "At a learning rate of 0.004 it learns to call until the turns run out, because every successful call is rewarded.",
  ],
  finding: (f) =>
    `Step rewards lower accuracy, against the claim, and change questions of two steps by a negligible amount. StepTool's budget was up to 8% smaller (${f.mean("StepTool", "updates")} updates, GRPO ${f.mean("GRPO", "updates")}), which may explain the whole difference. Over all questions ${f.effect(0)}, on questions of two steps ${f.effect(1)}, over ${f.count} seeds. StepTool solves ${f.mean("StepTool", "accuracy")} with ${f.mean("StepTool", "calls")} calls, GRPO ${f.mean("GRPO", "accuracy")} with ${f.mean("GRPO", "calls")}; questions of two steps ${f.mean("StepTool", "solved/4")} and ${f.mean("GRPO", "solved/4")}; turn-level credit without step rewards reaches ${f.mean("turns, paid in the end", "accuracy")}. Accuracy before RL was ${f.mean("GRPO", "before")}. On questions answerable from memory StepTool calls ${f.mean("StepTool", "calls/1")} times and GRPO ${f.mean("GRPO", "calls/1")} times.`,
});
