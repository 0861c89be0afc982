import {
  type AuxiliaryOptions,
  contrastive,
  dqn,
  dqnParts,
  reconstruction,
  selfPrediction,
  shifted,
  type Teaching,
} from "@reins/algorithms";
import { convolutional, signals } from "@reins/core";
import { source } from "@reins/envs";
import { learnSide, recipe, type Settings } from "@reins/recipes";

const env = source("Catch-v0", { width: 5, height: 6, margin: 1, colors: "any" });
const seen = { encoder: convolutional({ channels: [8], features: 32 }), hidden: [32] };
const usual = {
  ...seen,
  ...{ gamma: 0.9, epsilon: signals.linear(1, 0.05, 0.3), targetEvery: 50 },
  ...{ trainEvery: 2, batch: 32, capacity: 8000, learningStarts: 200 },
};
const augment = shifted(1);
const rates = [1e-3, 2e-3, 4e-3, 8e-3] as const;
const grid = { learningRate: [2e-3, 4e-3], weight: [0.01, 0.1] } as const;

/** DQN on shifted pictures, whose features have a second task of some weight. */
const taught = (name: string, task: (o: AuxiliaryOptions) => Teaching["auxiliary"]) =>
  learnSide({
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
    "Losses that need no reward are often added to reinforcement learning from pictures: to tell pictures apart (CURL), to paint them again, to foresee the next one. Claimed: where data and augmentation are the same, none of them is better than augmentation alone.",
  system: learnSide({
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
    learnSide({ name: "neither", env, grid: { learningRate: rates }, algorithm: dqn, options: usual }),
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
      because: "a twentieth of what lies between no ball and all balls caught",
      paper:
        "fails to bring meaningful improvement over the baselines only taking advantage of image augmentation",
    },
  ],
  grid: { learningRate: rates },
  budget: { unit: "steps", full: 8000, quick: 1024 },
  minutes: 3,
  deviations: [
    "DQN that catches a ball in pictures of 8 × 7 pixels stands for SAC on the DeepMind Control Suite, and for a robot; three losses stand for some twenty, and no combination of losses is searched for.",
    "Self-prediction looks one step ahead, through a network of two layers.",
  ],
  tried: [
    "A field of 8 × 8 cells with 4000 steps, three seeds: nobody learned to catch. Weights of 1: reconstruction -0.03 and self-prediction -0.55 where shifted pictures alone came to 0.19.",
  ],
  finding: (f) =>
    `Augmentation itself is no help here: without it and without any second task the return over training is ${f.mean("neither", "training")} (ten seeds), with it ${f.mean("augmentation alone", "training")}, for where things are is all there is to see in pictures of 56 pixels. Beside it, the claim holds: contrasts come to ${f.mean("contrastive", "training")}, reconstruction to ${f.mean("reconstruction", "training")} and self-prediction to ${f.mean("self-prediction", "training")}; the nearest is behind augmentation alone by ${f.effect()}. Tuning gave second tasks little weight: 0.01, and contrasts 1e-4, at the edge of their grid.`,
});
