import { dqn } from "@reins/algorithms";
import { ShiftingField, shiftingField } from "@reins/envs";
import * as nn from "@reins/nn";
import { learnArm, recipe } from "@reins/recipes";

/** DQN in changing grid worlds, with the given hidden layers. */
const arm = (name: string, layers: (inputs: number) => nn.Layer, double = false) =>
  learnArm({
    name,
    env: shiftingField(),
    algorithm: dqn,
    options: {
      ...{ gamma: 0.95, epsilon: 0.1, double, targetEvery: 100 },
      ...{ trainEvery: 1, batch: 32, capacity: 500, learningStarts: 200 },
      network: ({ inputs }) => layers(inputs),
    },
    // The late return shows whether it can still learn.
    watch:
      (run, { budget }) =>
      () => ({ ...(run.steps > budget / 2 && { late: run.metrics["return/mean"] }) }),
  });

const hidden = [16, 16];
const fixed = (activation: nn.Activation) => (inputs: number) => nn.mlp({ inputs, hidden, activation });
const returns = { better: "higher", worst: -1, best: ShiftingField.best() } as const;
const step = "a little more than one step less on every way to the goal";

export default recipe({
  id: "rational-activations",
  paper: "Adaptive Rational Activations to Boost Deep Reinforcement Learning",
  source: "arXiv:2102.09407",
  about:
    "Activations P(x) / (1 + |Q(x)|) with learned coefficients, one function per layer or one for all layers (recurrent), replace fixed ones: units adapt as the data change. Claimed: consistently better than fixed activations, so that plain DQN matches double DQN.",
  system: arm("rational", (inputs) => nn.rationalMlp({ inputs, hidden })),
  baselines: [arm("ReLU", fixed("relu")), arm("double DQN, ReLU", fixed("relu"), true)],
  ablations: [
    arm("recurrent rational", (inputs) => nn.rationalMlp({ inputs, hidden, shared: true })),
    arm("SiLU", fixed("silu")),
    arm("tanh", fixed("tanh")),
  ],
  metrics: {
    training: { about: "mean return over all grid worlds", ...returns },
    late: { about: "mean return in the second half of the grid worlds", ...returns },
  },
  claims: [
    {
      metric: "training",
      contrast: ["rational", "ReLU"],
      smallest: 0.05,
      because: step,
      paper: "consistent improvements on Atari games",
    },
    { metric: "late", contrast: ["rational", "ReLU"], smallest: 0.05, because: step },
    {
      kind: "no-worse",
      metric: "training",
      contrast: ["rational", "double DQN, ReLU"],
      margin: 0.05,
      because: step,
      paper: "competitive to DDQN and Rainbow",
    },
  ],
  grid: { learningRate: [2e-3, 4e-3] },
  budget: { unit: "steps", full: 30_000, quick: 2048 },
  minutes: 3,
  deviations: [
    "A 4 × 4 grid world that is replaced by another every 1250 steps, 24 in all, replaces Atari games; two hidden layers of 16 units replace a convolutional network.",
    "Rainbow is left out. The learning rate of each arm is tuned, which the paper does not do.",
  ],
  tried: [
    "Two hidden layers of 32 units. 5 × 5 grid worlds for 2000 steps, 40,000 in all, three seeds with learning rates of 1e-3 and 3e-3: ReLU 0.45 and 0.20 (it falls to -0.5), rational 0.44 and 0.51, SiLU 0.33 and 0.57, tanh with 3e-3 0.58. Their tuning was started, took too long and was stopped.",
    "4 × 4 grid worlds for 1000 steps with a replay buffer of the same size: ReLU 0.29, rational 0.36, SiLU 0.36, tanh 0.41; half of the buffer is from the previous world. For 1250 steps with a buffer of 500, 20,000 in all: ReLU 0.58, rational 0.67, SiLU 0.68. Three seeds with 3e-3 each.",
    "As measured, two seeds: ReLU 0.45 with 2e-3 and 0.10 with 4e-3, rational 0.69 and SiLU 0.66 with 4e-3.",
  ],
  finding: (f) =>
    `Rational activations are clearly better than ReLU, as claimed. Learning the activation is not the reason: with the system's settings, fixed smooth ones do as well on ten of the ${f.count} seeds, SiLU ${f.mean("SiLU", "training")} and tanh ${f.mean("tanh", "training")}, where rational functions reach ${f.mean("rational", "training")} and one for all layers ${f.mean("recurrent rational", "training")}. ReLU loses its ability to learn: tuned, it reaches ${f.mean("ReLU", "training")} (${f.effect(0)} behind) and in the second half ${f.mean("ReLU", "late")} against ${f.mean("rational", "late")}. Double DQN does not repair this, at ${f.mean("double DQN, ReLU", "training")}.`,
});
