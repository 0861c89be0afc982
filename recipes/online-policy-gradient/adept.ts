import { ppo } from "@reins/algorithms";
import type { Setting, StepEnvironment } from "@reins/core";
import { evaluate } from "@reins/core/evaluations";
import * as signals from "@reins/core/signals";
import { mazeField } from "@reins/envs";
import { learnArm, recipe, recordedMean } from "@reins/recipes";

/** A hundred training mazes and 200 test mazes per seed. */
const mazes = (seed: number, split: "train" | "test"): StepEnvironment & { readonly best: number } =>
  mazeField({ size: 4, levels: { train: 100, test: 200, seed }, split });

/** Upper confidence bounds over numbers of epochs, by their returns (Algorithm 1, ADEPT(U)). */
const scheduled = (exploration: number) =>
  signals.bandit({ of: "return/mean", choices: [8, 4, 2, 1], hold: 1, window: 40, exploration });

const arm = (name: string, epochs: Setting) =>
  learnArm({
    name,
    env: ({ seed }) => mazes(seed, "train"),
    algorithm: ppo,
    options: { epochs, envs: 16, steps: 32, hidden: [32], gamma: 0.97 },
    watch: ({ process }) => {
      let passes = process.settings.epochs.shown!;
      return () => {
        const made = passes;
        passes = process.settings.epochs.shown!;
        return { passes: made };
      };
    },
    measure: (run, { seed }) => {
      const unseen = mazes(seed, "test");
      return { test: recordedMean(evaluate(run, unseen, { seed, episodes: 400 })), best: unseen.best };
    },
  });

const because = "three mazes in a hundred that are solved instead of wandered about in";
const presupposes = {
  metric: "test",
  side: "4 passes",
  over: "1 pass",
  least: 0.05,
  because: "the number of epochs must matter",
};

export default recipe({
  id: "adept",
  paper: "Adaptive Data Exploitation in Deep Reinforcement Learning",
  source: "arXiv:2501.12620",
  about:
    "The number of epochs per batch is chosen by a bandit whose arms are numbers of epochs and whose reward is the return, so that data are used as intensively as the stage of learning allows. Claimed: higher returns, also in unseen levels, at a fraction of the compute.",
  system: arm("ADEPT", scheduled(1)),
  baselines: [arm("8 passes", 8), arm("4 passes", 4), arm("1 pass", 1)],
  ablations: [arm("in turn", scheduled(1e9)), arm("little exploration", scheduled(0.1))],
  metrics: {
    test: { about: "mean return in unseen mazes", better: "higher", worst: -1, best: "best" },
    training: { about: "mean return over training", better: "higher", worst: -1, best: 1 },
    passes: { about: "mean epochs per batch", better: "lower", worst: 100, best: 1 },
  },
  claims: [
    { metric: "test", smallest: 0.05, because, presupposes, paper: "superior performance on Procgen" },
    {
      kind: "joint",
      because: "neither is worth much without the other",
      paper: "superior performance with remarkable computational efficiency",
      of: [
        { kind: "no-worse", metric: "test", contrast: ["ADEPT", "8 passes"], margin: 0.05, because },
        {
          kind: "ratio",
          metric: "passes",
          contrast: ["ADEPT", "8 passes"],
          smallest: 1.5,
          because: "a third less is a machine in three",
        },
      ],
    },
    { metric: "training", contrast: ["ADEPT", "4 passes"], smallest: 0.05, because },
  ],
  grid: { learningRate: [2e-3, 4e-3, 8e-3] },
  budget: { unit: "steps", full: 24_576, quick: 2048 },
  minutes: 2,
  deviations: [
    "4 × 4 mazes with a full view and a layer of 32 units replace Procgen, MiniGrid and PyBullet.",
    "The bandit's reward is the mean return of the last hundred episodes, scaled to between 0 and 1 by the range of its window, with one window for all arms; the paper uses the critic's estimate for the batch. It begins with 8 epochs and tries each number once.",
    "Learning rates are tuned for each number of epochs, which the paper does not do.",
  ],
  tried: [
    "5 × 5 cells and 30 mazes: 0.7 to 0.9 in training, -0.6 in unseen ones, for any number of epochs (two seeds). 4 × 4 cells, 1000 mazes, 60,000 steps: 0.48, 0.54 and 0.58 with 1, 4 and 8 epochs (two seeds).",
    "200 mazes, 30,000 steps, four seeds at the better of two learning rates: 1 epoch 0.03, 3 epochs 0.31, 5 epochs 0.35; arms of 5, 3, 2 and 1: 0.25.",
    "60 mazes, 40,000 steps, three seeds: 1 epoch 0.14, 3 epochs 0.13, 10 epochs 0.14; arms of 10, 5, 3 and 1: 0.10.",
  ],
  finding: (f) =>
    `Untestable: with learning rates tuned, the number of epochs matters too little in unseen mazes for a schedule to gain from it. What speaks against this: 4 epochs are better than a single one by nearly as much as was required, and ADEPT reaches neither. In unseen mazes a single epoch reaches ${f.mean("1 pass", "test")}, 4 epochs ${f.mean("4 passes", "test")}, 8 ${f.mean("8 passes", "test")} and ADEPT ${f.mean("ADEPT", "test")}, over ${f.count} seeds; against 8 epochs it changes that return and the number of epochs by ${f.effect(1)}. Fifty batches leave a bandit little to learn: it makes ${f.mean("ADEPT", "passes")} epochs on average, as a round-robin does (${f.mean("in turn", "passes")}; ${f.mean("in turn", "test")} on ten seeds). Over training its return is behind that of 4 epochs (${f.effect(2)}).`,
});
