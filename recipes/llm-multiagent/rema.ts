import { grpo } from "@reins/algorithms";
import { adam, resting } from "@reins/nn";
import { recipe } from "@reins/recipes";
import { inTurns, type OrdersOptions, orders, ordersTask as task } from "@reins/recipes/talks";
import { wordsSides } from "@reins/recipes/words";

const alone = (way: OrdersOptions["way"]) => wordsSides({ ...task, family: orders({ way }) });
/** One model imitates both parts; then each part has its own. */
const model = { ...task.model, teacher: orders({ way: "solver" }) };
const two = (compared?: OrdersOptions["compared"]) =>
  wordsSides({ ...task, family: orders({ way: "solver", by: "own", compared }), model });
/** Two batches for the planner, two for the solver; who waits does not move. */
const optimiser = resting(adam({ epsilon: 1e-5 }));
const turns = () => ({ selection: inTurns(["model", "solver"], 2), optimiser });
const share = { better: "higher", worst: 0, best: 1 } as const;
const least = { smallest: 0.05, because: "one in twenty", contrast: ["ReMA", "each"] } as const;

export default recipe({
  id: "rema",
  paper: "ReMA: Learning to Meta-think for LLMs with Multi-Agent Reinforcement Learning",
  source: "arXiv:2503.09501",
  about:
    "One model thinks about how a problem is to be solved and writes a plan, another carries it out. Both are paid for the right answer, and each learns by itself while the other is held fixed, in turns. Claimed: more problems are solved than by one model that is reinforced in the same way, and more so where problems are unlike those that were learned from.",
  system: two()("ReMA", grpo, {}, { parts: turns }),
  baselines: [alone("at once")("one model", grpo), alone("planned")("one model with a plan", grpo)],
  ablations: [two()("both at once", grpo), two("role")("plans mixed", grpo, {}, { parts: turns })],
  metrics: {
    "solved/1": { about: "held-out accuracy", ...share },
    "solved/2": { about: "accuracy on longer problems", ...share },
  },
  claims: [
    { metric: "solved/1", ...least, paper: "better on average" },
    { metric: "solved/2", ...least },
  ],
  grid: { learningRate: [5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 10_000, quick: 1000 },
  minutes: 5,
  deviations: [
    "Sums of three numbers with one product, modulo 4, stand for competition mathematics, and a letter that says which operation comes first for a plan. The operations are told one by one in that order, whatever the plan, so that nobody has to copy them. Models of one layer stand for 7 and 8 billion weights.",
    "Sums of four numbers stand for tasks that are unlike those of training. They were imitated as the others were, since models that never saw the fourth number would know nothing of it; reinforcement never had them.",
    "Each side has imitated somebody careless in its own form, for as many tokens. The planner and the solver begin with the same weights, that imitated both parts, and are twice as many as those of one model.",
    "GRPO in the place of REINFORCE++, in one exchange of a plan and its steps; solvers are compared where they happened to have the same plan, of which none is drawn several times on purpose. Nothing is paid for form. The turns are of two batches each. Both at once, and solvers compared whatever their plan (plans mixed), are shown beside the claims.",
  ],
  tried: [
    "Plans that write all terms in order, and steps in one text, in remainders of 5: after 100,000 imitated tokens in batches of 128 texts nobody planned or computed.",
    "A letter as the plan, of which the solver finds the operations itself, in one text: after 100,000 tokens hardly a text was right (remainders of 5; of 3, after 150,000).",
    "The same where the terms are told in order: nor there, after 150,000. With one operation told at a time neither, after 120,000, in remainders of 5 or 3, until batches had 16 texts.",
    "Remainders of 5, 50,000 tokens, 8000 of reinforcement, two seeds at three learning rates: all that plan stay at 0.01 to 0.29, one model comes to 0.32.",
    "Four and five numbers, after 60,000 imitated tokens and 15,000 of reinforcement: ReMA came to 0.43, 0.43 and 0.45, one model with a plan to 0.74, 0.65 and 0.47; on five numbers to 0.35, 0.38 and 0.45, and 0.49, 0.49 and 0.43.",
    "This task after 60,000 imitated tokens: ReMA came to 0.69, 0.87 and 0.82, one model with a plan to 0.83, 0.91 and 0.91, which leaves little to gain; both at once to 0.70, 0.91 and 0.92. With 20,000 tokens of reinforcement, where what is no plan left the terms as they stood: ReMA 0.70 and 0.89, one model with a plan 0.92 and 0.95.",
    "The form that is measured, with four seeds at 0.001: ReMA came to 0.62, 0.59, 0.82 and 0.56, one model with a plan to 0.71, 0.83, 0.79 and 0.65, one model to 0.44 to 0.55, both at once to 0.59, 0.60, 0.89 and 0.71.",
  ],
  finding: (f) =>
    `Nothing is decided against one model with a plan: a block has 15 seeds where 77 were asked for, and what differs between the two in the end mostly differed after imitation, before anything was reinforced (a correlation of 0.8 over the seeds, looked at afterwards). A plan of one letter leaves little to think about, and two models with twice the weights had half of the batches each. ReMA comes to ${f.mean("ReMA", "solved/1")} and on longer problems to ${f.mean("ReMA", "solved/2")}, one model with a plan to ${f.mean("one model with a plan", "solved/1")} and ${f.mean("one model with a plan", "solved/2")}: ${f.effect(0)} and ${f.effect(1)} over ${f.count} seeds, so that a second model is not seen to help. One model that answers at once, to whom no operation is told by itself, comes to ${f.mean("one model", "solved/1")} and ${f.mean("one model", "solved/2")}. ReMA's plan is right in ${f.mean("ReMA", "term/planned/1")} of the problems, that of one model in ${f.mean("one model with a plan", "term/planned/1")}. With ten seeds and ReMA's learning rate both at once came to ${f.mean("both at once", "solved/1")}, not below ReMA in any of them: taking turns rather costs something here. Solvers that are compared whatever their plan came to ${f.mean("plans mixed", "solved/1")}, which is no other than ReMA.`,
});
