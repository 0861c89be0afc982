import { grpo } from "@reins/algorithms";
import { adam, resting } from "@reins/nn";
import { recipe } from "@reins/recipes";
import { inTurns, orders } from "@reins/recipes/talks";
import { wordsSides } from "@reins/recipes/words";

/** Longer problems are imitated, and never reinforced. */
const task = {
  levels: [1, 2],
  played: [1],
  model: { layers: 1, width: 32, imitation: 60_000, batch: 16, rows: 64 },
  score: { levels: [1, 2], problems: 150, looks: 1 },
  options: { groups: 8, plays: 8, epochs: 1, clipNorm: 1 },
  quick: { model: { imitation: 6000 } },
};
const alone = (way: "at once" | "planned") => wordsSides({ ...task, family: orders({ id: `orders ${way}`, way }) });
const teacher = orders({ id: "orders-taught", way: "solver" });
const two = wordsSides({
  ...task,
  family: orders({ id: "orders-two", way: "solver", by: "own" }),
  model: { ...task.model, teacher },
});
const turns = () => ({ selection: inTurns(["model", "solver"], 2), optimiser: resting(adam({ epsilon: 1e-5 })) });
const share = { better: "higher", worst: 0, best: 1 } as const;

export default recipe({
  id: "rema",
  paper: "ReMA: Learning to Meta-think for LLMs with Multi-Agent Reinforcement Learning",
  source: "arXiv:2503.09501",
  about: "x",
  system: two("ReMA", grpo, {}, { parts: turns }),
  baselines: [alone("at once")("one model", grpo), alone("planned")("one model with a plan", grpo)],
  ablations: [two("both at once", grpo)],
  metrics: {
    "solved/1": { about: "held-out accuracy", ...share },
    "solved/2": { about: "accuracy on longer problems", ...share },
  },
  claims: [{ metric: "solved/1", smallest: 0.05, because: "x" }],
  grid: { learningRate: [1e-3, 2e-3, 4e-3] },
  budget: { unit: "tokens", full: 10_000, quick: 1000 },
  minutes: 3,
  deviations: ["x"],
  finding: (f) => `${f.effect()}`,
});
