import { grpo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import {
  type PaidTalk,
  paidTurns,
  tableSides as side,
  type TableQuestion,
  within,
} from "@reins/recipes/talks";

/** A call that went well earns 0.1, and 0.4 more where it is the next on the way to the answer. */
function steps({ talk: { messages, opening, problem } }: PaidTalk): number[] {
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
    "Each call of a tool is a step that is paid for itself: for having gone well, and for what it contributes to the task. The policy gradient then credits each turn with what is earned from it on. Claimed: clearly better than existing methods, which pay the end alone, on tasks of several steps.",
  system: within(800, side("StepTool", grpo, { credit: "turn" }, { change: paidTurns(steps) })),
  baselines: [side("GRPO", grpo)],
  ablations: [within(800, side("turns, paid in the end", grpo, { credit: "turn" }))],
  metrics: {
    accuracy: { about: "held-out accuracy", better: "higher", worst: 0, best: 1 },
    "solved/4": { about: "accuracy where two steps are needed", better: "higher", worst: 0, best: 1 },
    calls: { about: "calls of a question", better: "lower", worst: 4, best: 0 },
  },
  claims: [
    { metric: "accuracy", smallest: 0.05, because },
    { metric: "solved/4", smallest: 0.1, because },
  ],
  grid: { learningRate: [5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 10_000, quick: 1500 },
  minutes: 3,
  deviations: [
    "Questions about two tables of twelve names, by a transformer of one layer, stand for tasks with many APIs. The longest way has two calls, and a quarter of the questions needs none, where each call is paid nevertheless.",
    "A program knows which call is the next on the way; the paper asks a language model. A call that went well earns 0.1, one that contributes 0.4 more, the right answer 1: the paper's proportions are not in its abstract.",
    "StepTool may write 800 tokens less than GRPO, of 10,000: where it calls on and on, a last batch would exceed the budget.",
    "Turns are compared with the same turn of the group's other plays, without a critic, in the place of PPO.",
  ],
  tried: [
    "At a learning rate of 0.004 it learns to call until the turns are over: each call that goes well is paid, whatever it is for.",
  ],
  finding: (f) =>
    `Over all questions ${f.effect(0)}, where two steps are needed ${f.effect(1)}, over ${f.count} seeds. StepTool solves ${f.mean("StepTool", "accuracy")} with ${f.mean("StepTool", "calls")} calls, GRPO ${f.mean("GRPO", "accuracy")} with ${f.mean("GRPO", "calls")}; two steps ${f.mean("StepTool", "solved/4")} and ${f.mean("GRPO", "solved/4")}; turns that are credited but not paid ${f.mean("turns, paid in the end", "accuracy")}. Before it was ${f.mean("GRPO", "before")}. StepTool had ${f.mean("StepTool", "updates")} updates and GRPO ${f.mean("GRPO", "updates")}: its budget was smaller by up to 8%, which may be all of the difference. Where nothing need be looked up StepTool calls ${f.mean("StepTool", "calls/1")} times and GRPO ${f.mean("GRPO", "calls/1")} times.`,
});
