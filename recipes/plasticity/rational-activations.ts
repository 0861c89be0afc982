import { dqn } from "@reins/algorithms";
import { ShiftingField, shiftingField } from "@reins/envs";
import * as nn from "@reins/nn";
import { learnSide, recipe } from "@reins/recipes";

/** DQN in fields that change, with hidden layers of its own. */
const side = (name: string, layers: (inputs: number) => nn.Layer, double = false) =>
  learnSide({
    name,
    env: shiftingField(),
    algorithm: dqn,
    options: {
      ...{ gamma: 0.95, epsilon: 0.1, double, targetEvery: 100 },
      ...{ trainEvery: 1, batch: 32, capacity: 500, learningStarts: 200 },
      network: ({ inputs }) => layers(inputs),
    },
    // What comes late shows whether it can still learn.
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
    "Activations P(x) / (1 + |Q(x)|) with learned coefficients, one such function for each layer or one for all of them (recurrent), in the place of fixed ones: neurons adapt as the data change. Claimed: consistently better than fixed activations, so that plain DQN comes up to double DQN.",
  system: side("rational", (inputs) => nn.rationalMlp({ inputs, hidden })),
  baselines: [side("ReLU", fixed("relu")), side("double DQN, ReLU", fixed("relu"), true)],
  ablations: [
    side("recurrent rational", (inputs) => nn.rationalMlp({ inputs, hidden, shared: true })),
    side("SiLU", fixed("silu")),
    side("tanh", fixed("tanh")),
  ],
  metrics: {
    training: { about: "mean return over all fields", ...returns },
    late: { about: "mean return in the second half of them", ...returns },
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
    "A field of 4 × 4 cells that is exchanged for another every 1250 steps, 24 in all, stands for Atari games; two hidden layers of 16 units for a convolutional network.",
    "Rainbow is left out. Sides are tuned over the learning rate, which the paper does not do.",
  ],
  tried: [
    "Two hidden layers of 32 units. Fields of 5 × 5 cells for 2000 steps, 40,000 in all, three seeds with steps of 1e-3 and 3e-3: ReLU 0.45 and 0.20 (it falls to -0.5), rational 0.44 and 0.51, SiLU 0.33 and 0.57, tanh with 3e-3 0.58. Their tuning began, took too long and was stopped.",
    "Fields of 4 × 4 cells for 1000 steps with as large a replay: ReLU 0.29, rational 0.36, SiLU 0.36, tanh 0.41; half of what is replayed is of the field before. For 1250 steps with a replay of 500, 20,000 in all: ReLU 0.58, rational 0.67, SiLU 0.68. Three seeds with 3e-3 each.",
    "As here, two seeds: ReLU 0.45 with 2e-3 and 0.10 with 4e-3, rational 0.69 and SiLU 0.66 with 4e-3.",
  ],
  finding: (f) =>
    `That the activation is learned is not what helps: with the system's settings, fixed ones that are smooth come as far on ten of the ${f.count} seeds, SiLU to ${f.mean("SiLU", "training")} and tanh to ${f.mean("tanh", "training")}, where rational functions come to ${f.mean("rational", "training")} and one for all layers to ${f.mean("recurrent rational", "training")}. It is ReLU that forgets how to learn: tuned, it comes to ${f.mean("ReLU", "training")} (${f.effect()} behind) and in the second half to ${f.mean("ReLU", "late")} against ${f.mean("rational", "late")}. Double DQN does not mend that, at ${f.mean("double DQN, ReLU", "training")}.`,
});
