import * as methods from "@reins/algorithms";
import type { Algorithm } from "@reins/core";
import { ShiftingField, shiftingField, source } from "@reins/envs";
import { recipe, type Settings, tasksArm } from "@reins/recipes";

const { bellmanSimilarity, dqn, dqnParts, eauDeQn, mappedForm, mrQ, tensorMappings } = methods;
const field = { size: 6, every: Number.POSITIVE_INFINITY };
const tasks = {
  pole: { env: source("CartPole-v0"), part: 2, high: 200 },
  field: { env: shiftingField(field), low: -1, high: ShiftingField.best(field) },
};

/** The normalised return over training on both tasks. */
const arm = (name: string, made: (rate: number) => Algorithm) =>
  tasksArm({ name, tasks, by: "training", algorithm: (at: Settings<typeof grid>) => made(at.learningRate) });

const gamma = 0.95;
const shared = { gamma, batch: 32, learningStarts: 200, capacity: 5000, trainEvery: 1, targetEvery: 50 };
const values = { ...shared, hidden: [32, 32], epsilon: 0.1, double: true };
const by = (algorithm: typeof dqn) => (learningRate: number) => algorithm({ ...values, learningRate });
const own = (name: string, parts: methods.DqnReplacements) =>
  by(dqn.with(name, { parts: (_, o, context) => dqnParts(o, context, name, parts) }));
const [gains, losses] = [tensorMappings.log(gamma ** 100), tensorMappings.linear()];
const loglin = mappedForm({ gains, losses, regularRate: 1, most: 1 / (1 - gamma) });
const embedded = (rate: number) =>
  mrQ({
    ...{ ...shared, learningRate: rate, criticRate: rate, encoderRate: rate },
    ...{ width: 32, actionWidth: 16, horizon: 3, bins: 21 },
  });

const grid = { learningRate: [2.5e-3, 6e-3, 1.5e-2] } as const;
const share = (about: string) => ({ about, better: "higher", worst: -1, best: 1 }) as const;
const because = "six steps longer with the pole, and a step and a half less on the way to the goal";
const ahead = (name: string) =>
  ({ metric: "score", contrast: [name, "DQN"], smallest: 0.03, because }) as const;

export default recipe({
  id: "values-side-by-side",
  paper: "Value-based methods side by side (our own comparison)",
  source: "arXiv:2501.16142, 2404.12754, 2503.01437 and 2203.07171",
  about:
    "Four methods of this book that change how values are learned, on the same two tasks, tuned alike: MR.Q learns them on predictive features, BEER penalises features that are more similar than the Bellman equation allows, EauDeQN prunes its network as far as learning allows, LogLin learns gains through a logarithm and losses linearly. Claimed here: BEER, the best in development, is better than DQN.",
  system: arm("BEER", own("beer", { penalty: bellmanSimilarity(1) })),
  baselines: [
    arm("DQN", by(dqn)),
    arm("MR.Q", embedded),
    arm("EauDeQN", by(eauDeQn)),
    arm("LogLin", own("loglin", { form: loglin })),
  ],
  metrics: {
    score: share("normalised return over training, mean of two tasks"),
    pole: share("normalised return over training on CartPole-v0"),
    field: share("normalised return over training in a 6 × 6 grid world"),
  },
  claims: [
    { ...ahead("BEER"), paper: "outperforms the baselines by a large margin on 12 tasks" },
    { ...ahead("MR.Q"), paper: "competitive against domain-specific and general baselines" },
    { ...ahead("MR.Q"), metric: "pole", because: "six steps longer with the pole" },
    { kind: "no-worse", metric: "score", contrast: ["EauDeQN", "DQN"], margin: 0.03, because },
    ahead("LogLin"),
  ],
  grid,
  limits: { learningRate: [2.5e-3, 1.5e-2] },
  budget: { unit: "steps", full: 6144, quick: 1536 },
  minutes: 1,
  deviations: [
    "Two small tasks, 4096 and 2048 steps, replace control suites and Atari games; networks have two layers of 32 units, MR.Q's embeddings 32 dimensions. All make one update of 32 transitions per step; MR.Q's costs ten times as much as DQN's.",
    "BEER was made for critics with actions as inputs. Here each action has its own weights, so the bound applies only where the best next action is the one taken; elsewhere the penalty is 0. Its weight is that of its own recipe, 1.",
    "LogLin has a learning rate of 1 in the original space, so that it does not average over randomness before mapping, and values of gains and losses are bounded by 1 / (1 - γ). EauDeQN has three networks.",
    "All but MR.Q choose next actions with the online network (double DQN). One learning rate for both tasks and all networks of an arm is tuned.",
  ],
  tried: [
    "Without double DQN, grid world alone, one seed: LogLin -0.53 where DQN has 0.75. A maximum over exponentials of learned values is far too high; with values bounded by 1 instead of 20 it has 0.64, and then learns nothing on CartPole.",
    "An 8 × 8 grid world, 6144 steps, two seeds: DQN 0.57, BEER 0.59, EauDeQN 0.55, LogLin -0.8, MR.Q with an update every four steps -0.4.",
    "MR.Q with an update every four steps, 8192 and 4096 steps, three seeds: 0.24 where DQN has 0.62; more noise on its actions helped less than more updates.",
    "BEER with a weight of 0.1: as DQN. LogLin with learning rates of 0.1 and 0.3 in the original space: behind 1 on CartPole-v0.",
    "With 9216 steps instead of 6144, three seeds at the best of three learning rates: BEER 0.59, DQN 0.58, EauDeQN 0.58, LogLin 0.56, MR.Q 0.55. As measured, 6e-3, three seeds: 0.54, 0.53, 0.53, 0.43 and 0.47.",
  ],
  finding: (f) =>
    `BEER's gain over DQN is negligible; MR.Q and LogLin are worse on the mean of both tasks. Two tasks of a few thousand steps measure learning speed, not final performance, ${f.count} seeds are few (a claim of no loss would take hundreds), and EauDeQN was tuned to the lowest learning rate. On the mean of both tasks BEER reaches ${f.mean("BEER", "score")} and DQN ${f.mean("DQN", "score")} (${f.effect(0)}), EauDeQN ${f.mean("EauDeQN", "score")} (${f.effect(3)}), LogLin ${f.mean("LogLin", "score")} (${f.effect(4)}) and MR.Q ${f.mean("MR.Q", "score")} (${f.effect(1)}). The tasks disagree on MR.Q: ${f.mean("MR.Q", "pole")} on CartPole where DQN has ${f.mean("DQN", "pole")} (${f.effect(2)}), ${f.mean("MR.Q", "field")} in the grid world where DQN has ${f.mean("DQN", "field")}.`,
});
