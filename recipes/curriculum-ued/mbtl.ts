import { MappedValues, tiles, transferChoice, valueMappings } from "@reins/algorithms";
import { defaultRng, stream } from "@reins/core";
import * as envs from "@reins/envs";
import { mean, recipe, type Trial } from "@reins/recipes";

/** Tasks are fields turned by up to half a circle; what a few trainings come to is compared. */
const [count, few, gamma, epsilon] = [30, 3, 0.95, 0.3];
const places = Array.from({ length: count }, (_, i) => i / (count - 1));
const tasks = places.map((place) => envs.turnedFieldModel({ turn: 2 * place }));
const { states, actions } = tasks[0];
const whole = { weight: 1, mapping: valueMappings.linear(), reward: (r: number) => r };
/** Features of states in tasks: a third of the tasks share what they learn. */
const shared = tiles(count, 10).flatMap((t) => tiles(states, 1).map(([s]) => t.map((i) => i * states + s)));

/** Q-learning in a task, or in all of them; after each stage, what its policy is worth in each task. */
function train(task: number | "all", stages: number, { seed, settings, budget }: Trial<typeof grid>) {
  const random = defaultRng(stream(seed, "training", task === "all" ? count : task));
  const features = task === "all" ? shared : tiles(states, 1);
  const rates = { regularRate: settings.learningRate, mappedRate: 1 };
  const q = new MappedValues({ channels: [whole], features, actions, gamma, ...rates });
  const at = (now: number, state: number) => (task === "all" ? now * states + state : state);
  return Array.from({ length: stages }, () => {
    for (let t = 0, now = 0, state = -1; t < budget / count; t++) {
      if (state < 0) [now, state] = [task === "all" ? random.integers(count) : task, 0];
      const [here, best] = [at(now, state), q.best(at(now, state))];
      const blind = q.value(here, best) === 0 || random.random() < epsilon;
      const action = blind ? random.integers(actions) : best;
      const next = envs.sampleOutcome(tasks[now], state, action, random);
      q.learn(here, action, next.reward, next.terminated ? -1 : at(now, next.state));
      state = next.terminated ? -1 : next.state;
    }
    return tasks.map((mdp, now) => {
      const policy = Int32Array.from({ length: states }, (_, s) => q.best(at(now, s)));
      return envs.startValue(mdp, envs.evaluatePolicy(mdp, policy, { gamma }));
    });
  });
}

type Scores = readonly number[];
/** What the tasks are worth on average, each with the best of these policies. */
const covered = (of: readonly Scores[]) => mean(tasks.map((_, j) => Math.max(...of.map((s) => s[j]))));
/** The same after each number of trainings, by what each task's own policy is worth everywhere. */
type Strategy = (alone: readonly Scores[], trial: Trial<typeof grid>) => number[];
const inOrder = (alone: readonly Scores[], order: readonly number[]) =>
  order.map((_, k) => covered(order.slice(0, k + 1).map((i) => alone[i])));

const strategies = {
  MBTL(alone) {
    const chosen: number[] = [];
    const trained = () => chosen.map((task) => ({ task, scores: alone[task] }));
    while (chosen.length < count / 2) chosen.push(transferChoice({ places, trained: trained() }));
    return inOrder(alone, chosen);
  },
  random: (alone, { seed }) => inOrder(alone, [...defaultRng(stream(seed, "tasks")).permutation(count)]),
  equidistant: (alone) =>
    tasks.map((_, k) =>
      covered(tasks.slice(0, k + 1).map((_, j) => alone[Math.floor(((j + 0.5) / (k + 1)) * count)])),
    ),
  independent: (alone) => tasks.map((_, k) => (k < count - 1 ? 0 : mean(alone.map((s, i) => s[i])))),
  "multi-task": (_, trial) => train("all", count, trial).map((s) => mean(s)),
} satisfies { readonly [name: string]: Strategy };

const side = (name: keyof typeof strategies) => ({
  name,
  run(trial: Trial<typeof grid>) {
    const alone = tasks.map((_, i) => train(i, 1, trial)[0]);
    const level = mean(alone.map((scores, i) => scores[i]));
    const found = strategies[name](alone, trial);
    const reached = found.findIndex((v) => v >= level - 1e-9);
    const value = name === "independent" ? level : found[few - 1];
    const values = { value, needed: reached < 0 ? count : reached + 1, level, best: covered(alone) };
    return { values, early: found.slice(0, few), used: trial.budget };
  },
});

const grid = { learningRate: [0.1, 0.3, 1] } as const;
const gain = {
  metric: "value",
  smallest: 0.02,
  because: "a thirtieth of what is possible: one task of thirty",
};

export default recipe({
  id: "mbtl",
  paper: "Model-Based Transfer Learning for Contextual Reinforcement Learning",
  source: "arXiv:2408.04498",
  about:
    "Training on every task of a family is dear, and policies carry over to tasks nearby. MBTL chooses the tasks to train on one after the other: a Gaussian process says what training on a task comes to, a linear loss how much of that is left further away, and the next task is the one that promises most over all tasks; every task then takes the best of the policies. Claimed: up to 50 times fewer samples than independent or multi-task training.",
  system: side("MBTL"),
  baselines: [side("independent"), side("multi-task"), side("random"), side("equidistant")],
  metrics: {
    value: { about: "value over all tasks after three trainings", better: "higher", worst: 0, best: "best" },
    needed: { about: "trainings until independent ones are matched", better: "lower", worst: count, best: 1 },
  },
  claims: [
    {
      kind: "ratio",
      metric: "needed",
      contrast: ["MBTL", "independent"],
      smallest: 5,
      because: "a tenth of the paper's factor",
      paper: "up to 50",
    },
    { ...gain, contrast: ["MBTL", "multi-task"] },
    { ...gain, contrast: ["MBTL", "random"] },
    { ...gain, contrast: ["MBTL", "equidistant"] },
  ],
  grid,
  limits: { learningRate: [0.01, 1] },
  budget: { unit: "steps", full: 90_000, quick: 9000 },
  minutes: 2,
  deviations: [
    "Fields of 5 × 5 cells whose directions are turned by one of 30 angles, and Q-learning in tables for 3000 steps, stand for traffic, control and deep methods.",
    "The slope of the loss is fitted to the policies that were trained; the first task is the middle one; one deviation is hoped for.",
    "The multi-task policy sees the task, by overlapping tiles of ten of them; its value is that after as many steps as three trainings take. Independent training has all its thirty.",
  ],
  tried: [
    "Winds of 0 to 0.5 along a cliff, four seeds: one careful policy served all of them, and any one training was enough.",
  ],
  finding: (f) =>
    `Tasks at equal distances, chosen without any model, are worth ${f.mean("equidistant", "value")} after three trainings and match independent training after ${f.mean("equidistant", "needed")}: what saves samples here is that tasks share policies, not the choice. With MBTL it is ${f.mean("MBTL", "value")} and ${f.mean("MBTL", "needed")}, with random tasks ${f.mean("random", "value")} and ${f.mean("random", "needed")}, with one policy for all ${f.mean("multi-task", "value")} and ${f.mean("multi-task", "needed")}. Independent training comes to ${f.mean("MBTL", "level")} after all thirty, of which the best policies for each task make ${f.mean("MBTL", "best")}.`,
});
