import { MappedValues, tileCoding, valueMappings } from "@reins/algorithms";
import { defaultRng, stream } from "@reins/core/random";
import * as envs from "@reins/envs";
import { mean, recipe, type Trial } from "@reins/recipes";
import { transferChoice } from "./mbtl.parts.ts";

/** Tasks are grid worlds rotated by up to half a turn; strategies are compared after a few trainings. */
const [count, few, gamma, epsilon] = [30, 3, 0.95, 0.3];
const places = Array.from({ length: count }, (_, i) => i / (count - 1));
const tasks = places.map((place) => envs.rotatedFieldModel({ turn: 2 * place }));
const { states, actions } = tasks[0];
const whole = { weight: 1, mapping: valueMappings.linear(), reward: (r: number) => r };
/** Features of states in tasks: a third of the tasks share each tile. */
const shared = tileCoding(count, 10).flatMap((t) =>
  tileCoding(states, 1).map(([s]) => t.map((i) => i * states + s)),
);

/** Q-learning in one task or in all of them. Returns the policy's value in each task after each stage. */
function train(task: number | "all", stages: number, { seed, settings, budget }: Trial<typeof grid>) {
  const random = defaultRng(stream(seed, "training", task === "all" ? count : task));
  const features = task === "all" ? shared : tileCoding(states, 1);
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
/** Mean value over tasks, each with the best of these policies. */
const covered = (of: readonly Scores[]) => mean(tasks.map((_, j) => Math.max(...of.map((s) => s[j]))));
/** Mean value after each number of trainings, from the values of each task's own policy in all tasks. */
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

const arm = (name: keyof typeof strategies) => ({
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
    "Training on every task of a family is expensive, and policies transfer to nearby tasks. MBTL chooses the training tasks one after the other: a Gaussian process predicts the training performance of a task, a linear function the loss from transfer to more distant tasks, and the next task is the one with the highest expected gain over all tasks. Every task then uses the best available policy. Claimed: up to 50 times fewer samples than independent or multi-task training.",
  system: arm("MBTL"),
  baselines: [arm("independent"), arm("multi-task"), arm("random"), arm("equidistant")],
  metrics: {
    value: { about: "mean value over tasks after three trainings", better: "higher", worst: 0, best: "best" },
    needed: {
      about: "trainings needed to match independent training",
      better: "lower",
      worst: count,
      best: 1,
    },
  },
  claims: [
    { ...gain, contrast: ["MBTL", "equidistant"], paper: "equidistant tasks are one of the baselines" },
    { ...gain, contrast: ["MBTL", "random"] },
    { ...gain, contrast: ["MBTL", "multi-task"] },
    {
      kind: "ratio",
      metric: "needed",
      contrast: ["MBTL", "independent"],
      smallest: 5,
      because: "a tenth of the paper's factor",
      paper: "up to 50",
    },
  ],
  grid,
  limits: { learningRate: [0.01, 1] },
  budget: { unit: "steps", full: 90_000, quick: 9000 },
  minutes: 2,
  deviations: [
    "5 × 5 grid worlds whose directions are rotated by one of 30 angles, and tabular Q-learning for 3000 steps, replace traffic, control tasks and deep RL.",
    "The slope of the transfer loss is fitted to the trained policies; the first task is the middle one; the acquisition adds one standard deviation.",
    "The multi-task policy observes the task through overlapping tiles of ten tasks; its value is taken after as many steps as three trainings use. Independent training has all thirty trainings.",
  ],
  tried: [
    "Winds of 0 to 0.5 along a cliff, four seeds: one careful policy solved all of them, so a single training was enough.",
  ],
  finding: (f) =>
    `Reversed: after three trainings equally spaced tasks, which are chosen without a model, are better than those of MBTL. What speaks against this: spacing is optimal where all tasks are equally hard and transfer alike, as rotations are, and MBTL has to find that out; it is better than random tasks. Its value changes by ${f.effect(0)} against equal spacing and by ${f.effect(1)} against random tasks over ${f.count} seeds. That it needs over five times fewer trainings than independent training says little, because any choice of tasks does: MBTL needs ${f.mean("MBTL", "needed")}, equally spaced tasks ${f.mean("equidistant", "needed")}, random ones ${f.mean("random", "needed")} of thirty. The values after three trainings are ${f.mean("MBTL", "value")}, ${f.mean("equidistant", "value")} and ${f.mean("random", "value")}, and ${f.mean("multi-task", "value")} for one multi-task policy. Independent training reaches ${f.mean("MBTL", "level")} after all thirty trainings; the best of these policies for each task reaches ${f.mean("MBTL", "best")}.`,
});
