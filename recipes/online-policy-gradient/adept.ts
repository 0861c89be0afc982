import { ppo } from "@reins/algorithms";
import { evaluate, type Setting, type StepPlace, signals } from "@reins/core";
import { mazeField } from "@reins/envs";
import { learnSide, recipe, recordedMean } from "@reins/recipes";

/** A hundred mazes to train in and as many others to be tested in, of each seed its own. */
const mazes = (seed: number, split: "train" | "test"): StepPlace & { readonly best: number } =>
  mazeField({ size: 4, levels: { train: 100, test: 200, seed }, split });

/** Upper confidence bounds over numbers of passes, by the returns that came with each (Algorithm 1, ADEPT(U)). */
const scheduled = (exploration: number) =>
  signals.bandit({ of: "return/mean", choices: [8, 4, 2, 1], hold: 1, window: 40, exploration });

const side = (name: string, epochs: Setting) =>
  learnSide({
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

export default recipe({
  id: "adept",
  paper: "Adaptive Data Exploitation in Deep Reinforcement Learning",
  source: "arXiv:2501.12620",
  about:
    "How often a batch is gone through is chosen anew for each batch by a bandit, whose arms are numbers of passes and whose pay is the return: data are used as intensively as the stage of learning bears. Claimed: higher returns, in levels not trained on too, at a fraction of the compute.",
  system: side("ADEPT", scheduled(1)),
  baselines: [side("8 passes", 8), side("4 passes", 4), side("1 pass", 1)],
  ablations: [side("in turn", scheduled(1e9)), side("little exploration", scheduled(0.1))],
  metrics: {
    test: { about: "mean return in unseen mazes", better: "higher", worst: -1, best: "best" },
    training: { about: "mean return over training", better: "higher", worst: -1, best: 1 },
    passes: { about: "passes over a batch, mean", better: "lower", worst: 100, best: 1 },
  },
  claims: [
    { metric: "test", smallest: 0.05, because, paper: "superior performance on Procgen" },
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
    "Mazes of 4 × 4 cells that are seen whole, and a layer of 32 units, stand for Procgen, MiniGrid and PyBullet.",
    "The bandit is paid the mean return of the last hundred episodes, brought to between 0 and 1 by what its window holds, and has one window for all arms; the paper pays the critic's estimate of the batch. It begins with 8 passes and tries each number once.",
    "Learning rates are tuned for each number of passes, which the paper does not do.",
  ],
  tried: [
    "5 × 5 cells and 30 mazes: 0.7 to 0.9 in training, -0.6 in unseen ones, whatever the passes (two seeds). 4 × 4 cells, 1000 mazes, 60,000 steps: 0.48, 0.54 and 0.58 with 1, 4 and 8 passes (two seeds).",
    "200 mazes, 30,000 steps, four seeds at the better of two rates: 1 pass 0.03, 3 passes 0.31, 5 passes 0.35; arms of 5, 3, 2 and 1: 0.25.",
    "60 mazes, 40,000 steps, three seeds: 1 pass 0.14, 3 passes 0.13, 10 passes 0.14; arms of 10, 5, 3 and 1: 0.10.",
  ],
  finding: (f) =>
    `With its learning rate tuned, a single pass does as well in unseen mazes, ${f.mean("1 pass", "test")}, at a quarter of ADEPT's compute, and no number of passes stands out: 4 come to ${f.mean("4 passes", "test")}, 8 to ${f.mean("8 passes", "test")}, ADEPT to ${f.mean("ADEPT", "test")} (${f.effect()} against 4). There is little for a bandit to find in fifty batches: it makes ${f.mean("ADEPT", "passes")} passes in the mean, as taking turns would (${f.mean("in turn", "passes")}; ${f.mean("in turn", "test")} on ten seeds). That it halves the passes of who makes 8 and loses nothing is true of any smaller number; over training it falls behind 4 passes by a little (${f.effect(2)}).`,
});
