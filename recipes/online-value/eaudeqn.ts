import { dqn, dqnParts, eauDeQn } from "@reins/algorithms";
import { when } from "@reins/core";
import { ShiftingField, shiftingField } from "@reins/envs";
import * as nn from "@reins/nn";
import { learnSide, recipe } from "@reins/recipes";
import { cast, minimum, mul, sub, type Tensor } from "@reins/tensor";

/** A field of 6 × 6 cells that stays as it is. */
const field = { size: 6, every: Number.POSITIVE_INFINITY };
const targetEvery = 50;
const grid = { learningRate: [4e-3, 8e-3] } as const;

/** Adam, and a share of weights pruned that rises as a cubic until four fifths of all updates are made (Zhu and Gupta, 2017). */
const scheduled =
  (share: number, updates: number) =>
  (adam: nn.Optimiser): nn.Optimiser => ({
    ...adam,
    update(gradients, state, params, settings) {
      const moved = nn.sparse(adam).update(gradients, state, params, settings);
      const { step } = moved.state;
      const left = sub(1, minimum(mul(cast(step, "f32"), 1 / (0.8 * updates)), 1));
      const now: Tensor = mul(share, sub(1, mul(left, mul(left, left))));
      return { ...moved, params: when(step.mod(targetEvery).eq(0), (w) => nn.prune(w, now), moved.params) };
    },
  });
const pruned = (share: number) => (budget: number) =>
  dqn.with("scheduled", {
    parts: (_, o, context) => dqnParts(o, context, "scheduled", { optimiser: scheduled(share, budget) }),
  });

const side = (name: string, maker: (budget: number) => typeof dqn) =>
  learnSide({
    name,
    env: shiftingField(field),
    algorithm: ({ learningRate }, { budget }) =>
      maker(budget)({
        ...{ learningRate, gamma: 0.95, epsilon: 0.1, double: false, hidden: [32, 32], targetEvery },
        ...{ trainEvery: 1, batch: 32, capacity: 1000, learningStarts: 200 },
      }),
    grid,
    watch: (run, { budget }) => {
      const { weights } = run.process.acting!;
      return () => ({
        sparsity: nn.sparsity(weights).item(),
        ...(run.steps > budget / 2 && { late: run.metrics["return/mean"] }),
      });
    },
  });

export default recipe({
  id: "eaudeqn",
  paper: "Eau De $Q$-Network: Adaptive Distillation of Neural Networks in Deep Reinforcement Learning",
  source: "arXiv:2503.01437",
  about:
    "Several networks of different sparsity learn from one target network. Whenever it moves, the one with the smallest loss takes its place, and the others become that one, as it is or with more weights pruned: the network becomes sparse at the pace at which it learns, and how sparse need not be said. Claimed: high sparsity, and performance as high as before.",
  system: side("EauDeQN", () => eauDeQn),
  baselines: [side("DQN", () => dqn), side("schedule to 0.95", pruned(0.95))],
  ablations: [side("schedule to 0.8", pruned(0.8)), side("schedule to 0.5", pruned(0.5))],
  metrics: {
    late: {
      about: "mean return in the second half",
      better: "higher",
      worst: -1,
      best: ShiftingField.best(field),
    },
    "final/sparsity": {
      about: "share of weights that are 0 in the end",
      better: "higher",
      worst: 0,
      best: 1,
    },
  },
  claims: [
    {
      kind: "joint",
      because: "neither is worth much without the other",
      paper: "reaches high sparsity levels while keeping performances high",
      of: [
        {
          kind: "no-worse",
          metric: "late",
          contrast: ["EauDeQN", "DQN"],
          margin: 0.02,
          because: "half a step more on the way to the goal",
        },
        {
          kind: "at-least",
          metric: "final/sparsity",
          value: 0.5,
          because: "half of the weights: with less, what is saved goes into saying which are left",
        },
      ],
    },
    {
      metric: "late",
      contrast: ["EauDeQN", "schedule to 0.95"],
      smallest: 0.02,
      because: "half a step less on the way to the goal",
      paper: "a final level that is set too high might lead to poor performances",
    },
  ],
  grid,
  budget: { unit: "steps", full: 20_000, quick: 2048 },
  minutes: 3,
  deviations: [
    "A field of 6 × 6 cells stands for Atari games and MuJoCo, two hidden layers of 32 units for their networks.",
    "Three networks in the place of five; the sparser ones lose a share of what is left that is drawn evenly up to a fifth. The one that is as sparse as the target network acts.",
  ],
  tried: [
    "Fields of 5 × 5 to 8 × 8 cells, 12,000 to 15,000 steps, steps of 2e-3, targets that move every 50 to 200 updates, up to a twentieth or half pruned at a time, five networks: returns as without pruning and a sparsity of 0.19 to 0.30. With 4e-3 and 8e-3 0.36 and 0.43; with hidden layers of 64 units and 4e-3 0.47. One or two seeds each.",
    "Fields of 4 × 4 cells that change every 1250 steps: a sparsity of 0.8 to 0.9, and a return that falls from 0.7 to -0.7 where DQN stays at 0.65. What was pruned for one field is missing in the next. One seed.",
  ],
  finding: (f) =>
    `It stops too soon: ${f.mean("EauDeQN", "final/sparsity")} of the weights are 0 in the end, where a schedule to 0.8 loses nothing either, ${f.mean("schedule to 0.8", "late")} on ten seeds. Probably a network that was just pruned has more to learn than one that was not, and 50 updates are few to overtake it; that was not measured. What it does keep is the return, ${f.mean("EauDeQN", "late")} as DQN's ${f.mean("DQN", "late")}, without a level to be set; one that is set too high, 0.95, comes to ${f.mean("schedule to 0.95", "late")}.`,
});
