import { cutout, dqn, dqnParts, type ObservationViews, randomColor, randomShift } from "@reins/algorithms";
import { evaluate } from "@reins/core/evaluations";
import { convolutional } from "@reins/core/policies";
import * as signals from "@reins/core/signals";
import { source } from "@reins/envs";
import { learnArm, recipe, recordedMean } from "@reins/recipes";
import { agreementGradient, meanGradient } from "./cg2a.parts.ts";

/** Images are black in training and coloured in tests. */
const field = { margin: 1 };
const [env, colored] = [source("Catch-v0", field), source("Catch-v0", { ...field, colors: "any" })];
const each = [randomShift(1), randomColor(0.5), cutout(2)];

/** DQN with a TD error for each of several augmented views of the same steps. */
const arm = (name: string, views: ObservationViews) =>
  learnArm({
    name,
    env,
    algorithm: dqn.with("views", { parts: (_, o, context) => dqnParts(o, context, "views", { views }) }),
    options: {
      ...{ encoder: convolutional({ channels: [8], features: 32 }), hidden: [32], gamma: 0.9 },
      ...{ epsilon: signals.linear(1, 0.05, 0.3), targetEvery: 50, trainEvery: 2 },
      ...{ batch: 32, capacity: 8000, learningStarts: 200 },
    },
    measure: (run, { seed }) => ({ unseen: recordedMean(evaluate(run, colored, { greedy: true, seed })) }),
  });

const balls = (about: string) => ({ about, better: "higher", worst: -1, best: 1 }) as const;
const counts = {
  contrast: ["CG2A", "all at once"],
  smallest: 0.2,
  because: "a tenth of what lies between no ball and all balls caught",
} as const;

export default recipe({
  id: "cg2a",
  paper:
    "Improving Generalization in Visual Reinforcement Learning via Conflict-aware Gradient Agreement Augmentation",
  source: "arXiv:2308.01194",
  about:
    "With several image augmentations at once, their gradients differ in norm and conflict. CG2A weights each gradient by its agreement with the others, and damps conflicting components. Claimed: better generalisation to unseen images, and faster learning, than with the mean over all augmentations.",
  system: arm("CG2A", { each, join: agreementGradient }),
  baselines: [arm("all at once", { each, join: meanGradient })],
  ablations: [
    arm("colors alone", { each: [each[1]], join: meanGradient }),
    arm("none", { each: [(seen) => seen], join: meanGradient }),
  ],
  metrics: {
    unseen: balls("greedy return with unseen colours"),
    training: balls("mean return over training"),
  },
  claims: [
    { metric: "unseen", ...counts, paper: "significantly improves the generalization performance" },
    { metric: "training", ...counts, paper: "and sample efficiency of visual RL algorithms" },
  ],
  grid: { learningRate: [1e-3, 2e-3, 4e-3] },
  budget: { unit: "steps", full: 1250, quick: 512 },
  minutes: 3,
  deviations: [
    "DQN that catches a ball in images of 10 × 10 pixels replaces SAC on the DeepMind Control Suite.",
    "Only the abstract of the paper was available: agreement is weighted by the rule of Eshratifar et al. (2018) after all gradients are normalised, and a component is damped by the share of signs that do not cancel.",
  ],
  tried: [
    "8000 steps with a learning rate of 3e-3, two seeds: with colours among the augmentations all balls were caught with unseen colours, by any rule; 4000 steps, three seeds: 0.98 with the mean, 0.97 with CG2A, 0.78 with colours alone.",
    "3000 steps, measured on two blocks: the mean of the augmentations left too little to gain (untestable), and CG2A learned no faster. 2000 steps with a learning rate of 4e-3, three seeds: 0.90 with the mean and 0.84 with CG2A; 1500 steps: 0.53 and 0.52.",
  ],
  finding: (f) =>
    `Undecided for unseen colours, and negligible over training: weighting gradients by agreement shows no benefit. The rule is our reading of the paper's abstract. With unseen colours the mean of all augmentations reaches ${f.mean("all at once", "unseen")} of 1, CG2A ${f.mean("CG2A", "unseen")} (${f.effect(0)}), colours alone ${f.mean("colors alone", "unseen")} and no augmentation ${f.mean("none", "unseen")}. Over training they reach ${f.mean("all at once", "training")}, ${f.mean("CG2A", "training")} (${f.effect(1)}), ${f.mean("colors alone", "training")} and ${f.mean("none", "training")}. Using several augmentations is what helps here.`,
});
