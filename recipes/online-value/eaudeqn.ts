import { dqn, dqnParts, eauDeQn } from "@reins/algorithms";
import { when } from "@reins/core";
import { ShiftingField, shiftingField } from "@reins/envs";
import * as nn from "@reins/nn";
import { learnArm, recipe } from "@reins/recipes";
import { cast, minimum, mul, sub, type Tensor } from "@reins/tensor";

/** A stationary 6 × 6 grid world. */
const field = { size: 6, every: Number.POSITIVE_INFINITY };
const targetEvery = 50;
const grid = { learningRate: [4e-3, 8e-3] } as const;

/** Adam with a cubic pruning schedule over the first four fifths of all updates (Zhu and Gupta, 2017). */
const scheduled =
  (share: number, updates: number) =>
  (adam: nn.Optimiser): nn.Optimiser => ({
    ...adam,
    update(gradients, state, params, settings) {
      const moved = nn.keepZeros(adam).update(gradients, state, params, settings);
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

const arm = (name: string, maker: (budget: number) => typeof dqn) =>
  learnArm({
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
    "Several networks of different sparsity learn from one target network. At each target update the one with the smallest loss becomes the target, and the others become copies of it, unchanged or with more weights pruned: the network becomes sparse at the pace at which it learns, without a preset sparsity. Claimed: high sparsity at undiminished performance.",
  system: arm("EauDeQN", () => eauDeQn),
  baselines: [arm("DQN", () => dqn), arm("schedule to 0.95", pruned(0.95))],
  ablations: [arm("schedule to 0.8", pruned(0.8)), arm("schedule to 0.5", pruned(0.5))],
  metrics: {
    late: {
      about: "mean return in the second half of training",
      better: "higher",
      worst: -1,
      best: ShiftingField.best(field),
    },
    "final/sparsity": {
      about: "final sparsity, share of zero weights",
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
    "A 6 × 6 grid world replaces Atari games and MuJoCo, and two hidden layers of 32 units replace their networks.",
    "Three networks instead of five; the sparser ones lose a share of the remaining weights, uniform up to a fifth. The network with the target's sparsity acts.",
  ],
  tried: [
    "Grid worlds of 5 × 5 to 8 × 8 cells, 12,000 to 15,000 steps, a learning rate of 2e-3, target updates every 50 to 200 updates, up to a twentieth or half pruned at a time, five networks: returns as without pruning and a sparsity of 0.19 to 0.30. With 4e-3 and 8e-3 0.36 and 0.43; with hidden layers of 64 units and 4e-3 0.47. One or two seeds each.",
    "4 × 4 grid worlds that change every 1250 steps: a sparsity of 0.8 to 0.9, and a return that falls from 0.7 to -0.7 where DQN stays at 0.65. Weights pruned in one world are missing in the next. One seed.",
  ],
  finding: (f) =>
    `The joint claim fails: the return is kept, but sparsity stays below one half. Against a schedule with too high a target it does better, as claimed. Only ${f.mean("EauDeQN", "final/sparsity")} of the weights are 0 at the end, where a schedule to 0.8 loses nothing either, ${f.mean("schedule to 0.8", "late")} on ten seeds. A freshly pruned network probably has more to relearn than 50 updates allow; this was not measured. The return is ${f.mean("EauDeQN", "late")}, DQN's ${f.mean("DQN", "late")}, without a level to set; a schedule to 0.95 reaches ${f.mean("schedule to 0.95", "late")}.`,
});
