import { defaultRng, stream } from "@reins/core/random";
import { type Arm, type Grid, mean, recipe, type Settings, type Trial } from "@reins/recipes";
import { real } from "@reins/tensor";
import * as parts from "./pomrl.parts.ts";

/** Sizes of a task, discount factor of the evaluation, and sequences of tasks in a replicate. */
const [states, actions, long, sequences] = [10, 2, 0.99, 8];
const data = { states, trajectories: 5, steps: 10 };
const grid = { power: [0.1, 0.2, 0.3, 0.4, 0.6], noise: [0.25, 1, 4] } as const;
const fixed = { gamma: [0.3, 0.5, 0.7, 0.9, 0.99], noise: [0.25, 1, 4] } as const;
const counted = { gamma: [0.3, 0.5, 0.7, 0.9, 0.99], pseudo: [1, 3, 10] } as const;

/** How a task is planned: from its counts and what past tasks have left, in a model and with a discount factor. */
interface Planner {
  plan(counts: parts.Rows, task: number): { model: parts.Rows; gamma: number };
  learn(counts: parts.Rows): void;
}

const arm = <G extends Grid>(name: string, planner: (settings: Settings<G>) => Planner, own?: G): Arm => ({
  name,
  ...(own && { grid: own }),
  run({ seed, settings, budget: tasks }: Trial<G>) {
    const [world, random] = [defaultRng(stream(seed, "world")), defaultRng(stream(seed, "samples"))];
    const sequence = (): number[] => {
      const center = parts.randomRows(world, states * actions, states, 5);
      const rewards = world.fillRandom(new Float64Array(states * actions));
      const learner = planner(settings as Settings<G>);
      return Array.from({ length: tasks }, (_, t) => {
        const rows = parts.relatedRows(world, center, 4);
        const counts = parts.explore(rows, data, random);
        const { model, gamma } = learner.plan(counts, t);
        const [task, guess] = [rows, model].map((r) => parts.mdpOf(r, rewards, states));
        learner.learn(counts);
        return parts.planningLoss(task, guess, gamma, long);
      });
    };
    const losses = Array.from({ length: sequences }, sequence);
    const over = (from: number, to: number) => mean(losses.map((l) => mean(l.slice(from, to))));
    const half = tasks >> 1;
    const values = { loss: over(0, tasks), first: over(0, half), last: over(half, tasks) };
    return { values, early: losses[0], used: tasks };
  },
});

/** POMRL with a discount factor that may depend on the task and on the mean share of the prior. */
const pomrl = (noise: number, gammaOf: (share: number, task: number) => number): Planner => {
  const prior = new parts.TaskPrior(states * actions, states, 0.1);
  const share = (i: number) => prior.share(i, noise, data.trajectories);
  return {
    plan: (counts, t) => ({
      model: parts.mixed(parts.frequencies(counts), prior.mean, share),
      gamma: gammaOf(mean(counts.map((_, i) => share(i))), t),
    }),
    learn: (counts) => prior.learn(counts),
  };
};

/** 1 − 1 / (2 T)^power, where T are the trajectories that the model rests on: those of the task and of past tasks, by their shares. */
const rising = (power: number) => (share: number, task: number) => {
  const trajectories = (1 - share + share * Math.max(1, task)) * data.trajectories;
  return Math.max(0, 1 - real.pow(2 * trajectories, -power));
};

export default recipe({
  id: "pomrl",
  paper: "POMRL: No-Regret Learning-to-Plan with Increasing Horizons",
  source: "arXiv:2212.14530, kkhetarpal/pomrl",
  about:
    "A sequence of related MDPs, with few samples of each. The estimate of a task's transitions is a mixture of its own frequencies and the mean of past tasks, whose share falls with the variance between tasks. As the model improves, the discount factor of the planner rises. Claimed: the planning loss falls with the number of tasks and their similarity, and a rising discount factor is better than a fixed one.",
  system: arm("POMRL, rising γ", ({ power, noise }: Settings<typeof grid>) => pomrl(noise, rising(power))),
  baselines: [
    arm("POMRL, fixed γ", ({ gamma, noise }) => pomrl(noise, () => gamma), fixed),
    arm(
      "counts of all tasks",
      ({ gamma, pseudo }) => {
        const total = Array.from({ length: states * actions }, () => new Float64Array(states));
        const uniform = total.map((row) => row.map(() => 1 / states));
        const add = (counts: parts.Rows) =>
          counts.forEach((row, i) => {
            row.forEach((c, s) => {
              total[i][s] += c;
            });
          });
        return {
          plan(counts) {
            // Past tasks are a prior of `pseudo` samples, smoothed by one uniform sample.
            return { model: parts.smoothed(counts, parts.smoothed(total, uniform, 1), pseudo), gamma };
          },
          learn: add,
        };
      },
      counted,
    ),
    arm(
      "counts of the task",
      ({ gamma, pseudo }) => {
        const uniform = Array.from({ length: states * actions }, () =>
          new Float64Array(states).fill(1 / states),
        );
        return { plan: (counts) => ({ model: parts.smoothed(counts, uniform, pseudo), gamma }), learn() {} };
      },
      counted,
    ),
  ],
  ablations: [arm("POMRL without past tasks", ({ power }: Settings<typeof grid>) => pomrl(0, rising(power)))],
  metrics: {
    loss: { about: "planning loss in reward a step, mean over tasks", better: "lower", worst: 1, best: 0 },
    last: { about: "planning loss of the second half of the tasks", better: "lower", worst: 1, best: 0 },
  },
  claims: [
    {
      kind: "ratio",
      metric: "loss",
      smallest: 1.1,
      because: "a schedule and a learned share should save a tenth of the loss of pseudo-counts",
      paper: "the rising discount factor is near the best fixed one in hindsight",
    },
    {
      kind: "ratio",
      metric: "last",
      contrast: ["POMRL, rising γ", "counts of the task"],
      smallest: 1.5,
      because: "half of the tasks as prior should save a third of the loss",
    },
  ],
  grid,
  limits: { power: [0.01, 2], gamma: [0, 0.999], noise: [0.001, 100], pseudo: [0, 100] },
  replicates: "8 sequences",
  minutes: 2,
  budget: { unit: "tasks", full: 15, quick: 10 },
  deviations: [
    "The authors' program averages each task over a hundred sets of samples, so that its prior rests on a hundred times the data; here a task has one set of five trajectories, and pairs of state and action that it does not visit leave the prior as it is.",
    "Related tasks multiply the mean probabilities by gamma variables of shape 4 in place of Dirichlet samples. Rewards are known, as in the program.",
    "The power of the schedule (the program's is 1/5) and v² (1/4) are tuned; the second schedule of the program, from constants of the theorem, is left out.",
  ],
  finding: (f) =>
    `Against: past tasks help, but plain pseudo-counts of all tasks with a fixed discount factor lose slightly less than POMRL. Against this best baseline POMRL changes the loss by ${f.effect(0)}, over ${f.count} sets of 8 sequences. What speaks for the paper: against a model of the task alone the loss of the second half of the tasks changes by ${f.effect(1)}, and a rising discount factor loses ${f.mean("POMRL, rising γ", "loss")} where the best fixed one loses ${f.mean("POMRL, fixed γ", "loss")}. Counts of all tasks lose ${f.mean("counts of all tasks", "loss")}, a model of the task alone ${f.mean("counts of the task", "loss")}, and POMRL without past tasks ${f.mean("POMRL without past tasks", "loss")}. The likely reason is that POMRL's share of the prior ignores how often a pair was visited, which pseudo-counts do not.`,
});
