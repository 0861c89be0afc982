import {
  type AuxiliaryOptions,
  type AuxiliaryTraining,
  contrastive,
  dqn,
  dqnParts,
  randomShift,
  reconstruction,
  selfPrediction,
} from "@reins/algorithms";
import { convolutional } from "@reins/core/policies";
import * as signals from "@reins/core/signals";
import { source } from "@reins/envs";
import { learnArm, recipe, type Settings } from "@reins/recipes";

const env = source("Catch-v0", { width: 5, height: 6, margin: 1, colors: "any" });
const seen = { encoder: convolutional({ channels: [8], features: 32 }), hidden: [32] };
const usual = {
  ...seen,
  ...{ gamma: 0.9, epsilon: signals.linear(1, 0.05, 0.3), targetEvery: 50 },
  ...{ trainEvery: 2, batch: 32, capacity: 8000, learningStarts: 200 },
};
const augment = randomShift(1);
const rates = [1e-3, 2e-3, 4e-3, 8e-3] as const;
const grid = { learningRate: [2e-3, 4e-3], weight: [0.01, 0.1] } as const;

/** DQN on shifted images with an auxiliary loss on the features. */
const taught = (name: string, task: (o: AuxiliaryOptions) => AuxiliaryTraining["auxiliary"]) =>
  learnArm({
    name,
    env,
    grid,
    algorithm: ({ learningRate, weight }: Settings<typeof grid>) =>
      dqn.with("taught", {
        parts: (_, o, context) => dqnParts(o, context, "taught", { auxiliary: task({ weight }) }),
      })({ ...usual, augment, learningRate }),
  });

export default recipe({
  id: "ssl-rl-pixels",
  paper: "Does Self-supervised Learning Really Improve Reinforcement Learning from Pixels?",
  source: "arXiv:2206.05266",
  about:
    "Self-supervised losses are often added to RL from pixels: contrastive learning (CURL), reconstruction, prediction of the next image. Claimed: with equal data and augmentation, none of them is better than augmentation alone.",
  system: learnArm({
    name: "augmentation alone",
    env,
    grid: { learningRate: rates },
    algorithm: dqn,
    options: { ...usual, augment },
  }),
  baselines: [
    taught("contrastive", (o) => contrastive(augment, o)),
    taught("reconstruction", reconstruction),
    taught("self-prediction", selfPrediction),
  ],
  ablations: [
    learnArm({ name: "neither", env, grid: { learningRate: rates }, algorithm: dqn, options: usual }),
  ],
  metrics: {
    training: { about: "mean return over training", better: "higher", worst: -1, best: 1 },
  },
  claims: [
    {
      kind: "no-worse",
      metric: "training",
      contrast: ["augmentation alone", "each"],
      margin: 0.1,
      presupposes: {
        metric: "training",
        side: "augmentation alone",
        over: "neither",
        least: 0.1,
        because: "augmentation must help by the margin",
      },
      because: "a twentieth of what lies between no ball and all balls caught",
      paper:
        "fails to bring meaningful improvement over the baselines only taking advantage of image augmentation",
    },
  ],
  grid: { learningRate: rates },
  budget: { unit: "steps", full: 8000, quick: 1024 },
  minutes: 3,
  deviations: [
    "DQN that catches a ball in images of 8 × 7 pixels replaces SAC on the DeepMind Control Suite and a robot; three losses replace some twenty, and combinations of losses are not searched.",
    "Self-prediction looks one step ahead, through a network of two layers.",
  ],
  tried: [
    "An 8 × 8 field with 4000 steps, three seeds: no arm learned to catch. Weights of 1: reconstruction -0.03 and self-prediction -0.55 where shifted images alone reached 0.19.",
  ],
  finding: (f) =>
    `Untestable: augmentation itself does not help in images of 56 pixels, where positions are all the information, so it cannot show what auxiliary losses are worth. What speaks for the claim nevertheless: no auxiliary loss is better than augmentation alone, nor than neither. Over ${f.count} seeds the return over training is ${f.mean("neither", "training")} without both, ${f.mean("augmentation alone", "training")} with augmentation, ${f.mean("contrastive", "training")} with the contrastive loss besides, ${f.mean("reconstruction", "training")} with reconstruction and ${f.mean("self-prediction", "training")} with self-prediction. Tuning gave auxiliary losses little weight: 0.01, and the contrastive one 1e-4, at the edge of its grid.`,
});
