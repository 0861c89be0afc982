import * as methods from "@reins/algorithms";
import type { Algorithm } from "@reins/core";
import { ShiftingField, shiftingField, source } from "@reins/envs";
import { recipe, type Settings, tasksSide } from "@reins/recipes";

const { bellmanSimilarity, dqn, dqnParts, eauDeQn, mappedForm, mrQ, tensorMappings } = methods;
const field = { size: 6, every: Number.POSITIVE_INFINITY };
const tasks = {
  pole: { env: source("CartPole-v0"), part: 2, high: 200 },
  field: { env: shiftingField(field), low: -1, high: ShiftingField.best(field) },
};

/** The mean return over all of training on both tasks, as shares of the best. */
const side = (name: string, made: (rate: number) => Algorithm) =>
  tasksSide({ name, tasks, by: "training", algorithm: (at: Settings<typeof grid>) => made(at.learningRate) });

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
  paper: "Methods of values side by side (a comparison of our own)",
  source: "arXiv:2501.16142, 2404.12754, 2503.01437 and 2203.07171",
  about:
    "Four methods of this book that change how values are learned, on the same two tasks, tuned alike: MR.Q learns them on features that forecast what follows, BEER pays for features more alike than the Bellman equation allows, EauDeQN prunes its network as far as learning allows, LogLin learns gains through a logarithm and losses as they are. Claimed here: what came out best in development, BEER, is better than DQN.",
  system: side("BEER", own("beer", { penalty: bellmanSimilarity(1) })),
  baselines: [
    side("DQN", by(dqn)),
    side("MR.Q", embedded),
    side("EauDeQN", by(eauDeQn)),
    side("LogLin", own("loglin", { form: loglin })),
  ],
  metrics: {
    score: share("mean share of the best return over training, two tasks"),
    pole: share("the same on CartPole-v0"),
    field: share("the same in a field of 6 × 6 cells"),
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
    "Two small tasks, 4096 and 2048 steps, stand for control suites and Atari games; networks have two layers of 32 units, embeddings of MR.Q 32 numbers. All make an update of 32 transitions a step, of which MR.Q's costs ten times as much as DQN's.",
    "BEER was made for critics that see actions. Here each action has weights of its own, so that a bound follows only where the best next action is the one that was taken: elsewhere nothing is paid. Its weight is that of its own recipe, 1.",
    "LogLin has a rate of 1 among values, so that it does not average over chance before it maps, and values of gains and losses end at 1 / (1 - γ). EauDeQN has three networks.",
    "All but MR.Q choose next actions by the online network (double). One learning rate for both tasks and for all networks of a side is what is tuned.",
  ],
  tried: [
    "Without double, field alone, one seed: LogLin -0.53 where DQN has 0.75. A maximum over values that were exponentials of something learned is far too high; with values that end at 1 in place of 20 it has 0.64, and then nothing of the pole.",
    "A field of 8 × 8 cells, 6144 steps, two seeds: DQN 0.57, BEER 0.59, EauDeQN 0.55, LogLin -0.8, MR.Q with an update every four steps -0.4.",
    "MR.Q with an update every four steps, 8192 and 4096 steps, three seeds: 0.24 where DQN has 0.62; more noise on its actions helped less than more updates.",
    "BEER with a weight of 0.1: as DQN. LogLin with rates of 0.1 and 0.3 among values: behind 1 on CartPole-v0.",
    "With 9216 steps in the place of 6144, three seeds at the best of three rates: BEER 0.59, DQN 0.58, EauDeQN 0.58, LogLin 0.56, MR.Q 0.55. As here, 6e-3, three seeds: 0.54, 0.53, 0.53, 0.43 and 0.47.",
  ],
  finding: (f) =>
    `Two tasks of a few thousand steps say who is quick, not who is best in the end, and ${f.count} seeds are few (a claim that nothing is lost would take hundreds); EauDeQN took the lowest rate that there was. In the mean of both BEER comes to ${f.mean("BEER", "score")} and DQN to ${f.mean("DQN", "score")} (${f.effect()}), EauDeQN to ${f.mean("EauDeQN", "score")} (${f.effect(3)}), LogLin to ${f.mean("LogLin", "score")} (${f.effect(4)}) and MR.Q to ${f.mean("MR.Q", "score")} (${f.effect(1)}). The tasks disagree on MR.Q: ${f.mean("MR.Q", "pole")} on the pole where DQN has ${f.mean("DQN", "pole")} (${f.effect(2)}), ${f.mean("MR.Q", "field")} in the field where DQN has ${f.mean("DQN", "field")}.`,
});
