import { grpo } from "@reins/algorithms";
import { adam, skipZeroGradients } from "@reins/nn";
import { recipe } from "@reins/recipes";
import { alternateRoles, type OrdersOptions, orders, ordersTask as task } from "@reins/recipes/conversations";
import { languageArms } from "@reins/recipes/language";

const alone = (way: OrdersOptions["way"]) => languageArms({ ...task, task: orders({ way }) });
/** One model is fine-tuned on both roles; then each role has its own copy. */
const model = { ...task.model, teacher: orders({ way: "solver" }) };
const two = (compared?: OrdersOptions["compared"]) =>
  languageArms({ ...task, task: orders({ way: "solver", by: "own", compared }), model });
/** Two batches for the planner, then two for the solver; the other one is frozen. */
const optimiser = skipZeroGradients(adam({ epsilon: 1e-5 }));
const turns = () => ({ selection: alternateRoles(["model", "solver"], 2), optimiser });
const share = { better: "higher", worst: 0, best: 1 } as const;
const least = { smallest: 0.05, because: "one in twenty", contrast: ["ReMA", "each"] } as const;

export default recipe({
  id: "rema",
  paper: "ReMA: Learning to Meta-think for LLMs with Multi-Agent Reinforcement Learning",
  source: "arXiv:2503.09501",
  about:
    "One model plans how to solve a problem, and another executes the plan. Both are rewarded for the correct answer, and they are trained alternately, each while the other is frozen. Claimed: more problems are solved than by one model trained in the same way, with a larger gain on problems unlike those of training.",
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
    "Sums of three numbers with one product, modulo 4, replace competition mathematics, and a letter that names the first operation is the plan. The operations are presented one by one in the correct order regardless of the plan, so that copying is not needed. One-layer models replace 7 and 8 billion weights.",
    "Sums of four numbers replace out-of-distribution tasks. They are part of the fine-tuning, since models without it could not use the fourth number; RL never includes them.",
    "Each arm is fine-tuned on a careless teacher in its own format, for the same number of tokens. The planner and the solver begin with the same weights, fine-tuned on both roles, and together have twice as many weights as one model.",
    "GRPO replaces REINFORCE++, with one exchange of a plan and its steps; solvers are compared within equal plans, and no plan is sampled several times on purpose. The format reward is left out. Roles alternate every two batches. Simultaneous training, and solvers compared regardless of their plan (plans mixed), are ablations.",
  ],
  tried: [
    "Plans that write all terms in order, and steps in one text, modulo 5: after 100,000 SFT tokens in batches of 128 texts no model planned or computed correctly.",
    "A letter as the plan, with the operations left to the solver, in one text: after 100,000 tokens hardly a text was correct (modulo 5; modulo 3, after 150,000).",
    "The same with the terms presented in order: no better after 150,000. With one operation presented at a time no better after 120,000, modulo 5 or 3, until batches had 16 texts.",
    "Modulo 5, 50,000 tokens, 8000 of RL, two seeds at three learning rates: all arms with a plan stay at 0.01 to 0.29, one model reaches 0.32.",
    "Four and five numbers, after 60,000 SFT tokens and 15,000 of RL: ReMA reached 0.43, 0.43 and 0.45, one model with a plan 0.74, 0.65 and 0.47; on five numbers 0.35, 0.38 and 0.45, and 0.49, 0.49 and 0.43.",
    "This task after 60,000 SFT tokens: ReMA reached 0.69, 0.87 and 0.82, one model with a plan 0.83, 0.91 and 0.91, which leaves little to gain; simultaneous training 0.70, 0.91 and 0.92. With 20,000 tokens of RL, where an invalid plan left the terms as they were: ReMA 0.70 and 0.89, one model with a plan 0.92 and 0.95.",
    "The measured form, with four seeds at 0.001: ReMA reached 0.62, 0.59, 0.82 and 0.56, one model with a plan 0.71, 0.83, 0.79 and 0.65, one model 0.44 to 0.55, simultaneous training 0.59, 0.60, 0.89 and 0.71.",
  ],
  finding: (f) =>
    `Undecided: a second model shows no benefit over one model with a plan. A block has 15 seeds where 77 were needed, and most of the final difference is present after fine-tuning (a correlation of 0.8 over the seeds, computed afterwards); a one-letter plan leaves little to think about, and each of the two models had half of the batches. ReMA reaches ${f.mean("ReMA", "solved/1")} and on longer problems ${f.mean("ReMA", "solved/2")}, one model with a plan ${f.mean("one model with a plan", "solved/1")} and ${f.mean("one model with a plan", "solved/2")}: ${f.effect(0)} and ${f.effect(1)} over ${f.count} seeds. One model that answers at once, without the operations presented one by one, reaches ${f.mean("one model", "solved/1")} and ${f.mean("one model", "solved/2")}. ReMA's plan is correct in ${f.mean("ReMA", "term/planned/1")} of the problems, that of one model in ${f.mean("one model with a plan", "term/planned/1")}. With ten seeds and ReMA's learning rate simultaneous training reached ${f.mean("both at once", "solved/1")}, not below ReMA on any seed, so alternating has a cost here. Solvers compared regardless of their plan reached ${f.mean("plans mixed", "solved/1")}, no different from ReMA.`,
});
