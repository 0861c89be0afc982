import { defaultRng, stream } from "@reins/core/random";
import * as envs from "@reins/envs";
import { mean, recipe, slope, type Trial } from "@reins/recipes";
import { real } from "@reins/tensor";

const grid = { learningRate: [0.0012, 0.0025, 0.005, 0.01] } as const;

/** Numbers of agents, and shares of each agent's own MDP for the floor. */
const [agents, shares] = [
  [1, 2, 5, 10, 20],
  [0.2, 0.4],
];
/** SARSA steps between averages: K in the paper. */
const local = 10;
const size = { states: 10, actions: 3 };

/** Problems of agents with common features: a common MDP, mixed with each agent's own. */
function problems(seed: number, count: number, share: number): envs.LinearSarsa[] {
  const random = defaultRng(stream(seed, "problems"));
  const common = envs.randomMdp(random, size);
  const features = Array.from({ length: size.states * size.actions }, () => {
    const row = Float64Array.from({ length: 4 }, () => random.standardNormal());
    return row.map((x) => x / Math.sqrt(envs.innerProduct(row, row)));
  });
  return Array.from({ length: count }, () => {
    const mdp = share > 0 ? envs.mixMdps(common, envs.randomMdp(random, size), share) : common;
    return { mdp, features, gamma: 0.5, temperature: 1 };
  });
}

/** Settings of a training run; `rate` is the learning rate at a progress from 0 to 1. */
interface Training {
  readonly seed: number;
  readonly steps: number;
  readonly rate: (progress: number) => number;
  readonly average: "often" | "once" | "never";
}

const distance = (a: Float64Array, b: Float64Array) => a.reduce((sum, x, i) => sum + (x - b[i]) ** 2, 0);

/** Squared distance of an agent's weights to the fixed point of its own problem: the mean over agents and the last half of training. */
function weightError(worlds: readonly envs.LinearSarsa[], { seed, steps, rate, average }: Training) {
  const goals = worlds.map((world) => envs.sarsaFixedPoint(world));
  const team = worlds.map((world, i) => envs.linearSarsa(world, defaultRng(stream(seed, "agent", i))));
  const rounds = Math.floor(steps / local);
  const errors: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const agent of team) for (let k = 0; k < local; k++) agent.step(rate(round / rounds));
    const middle = goals[0].map((_, i) => mean(team.map(({ weights }) => weights[i])));
    // Algorithm 1: the server averages the weights after K local steps.
    if (average === "often") for (const { weights } of team) weights.set(middle);
    errors.push(
      mean(team.map(({ weights }, i) => distance(average === "once" ? middle : weights, goals[i]))),
    );
  }
  return { error: mean(errors.slice(rounds >> 1)), early: errors.slice(0, 5) };
}

const arm = (name: string, average: Training["average"], decay = false) => ({
  name,
  run({ seed, settings, budget: steps }: Trial<typeof grid>) {
    const rate = (progress: number) => settings.learningRate * (decay ? 5 / (1 + 24 * progress) : 1);
    const measured = (count: number, share = 0) =>
      weightError(problems(seed, count, share), { seed, steps, rate, average });
    const levels = agents.map((count) => measured(count));
    const errors = levels.map((l) => l.error);
    const [error, [some, more]] = [errors[errors.length - 1], shares.map((h) => measured(20, h).error)];
    const speedup = -slope(agents.map(real.log), errors.map(real.log));
    const floor = real.log(more / some) / real.log(shares[1] / shares[0]);
    return { values: { error, speedup, floor, some, more }, early: levels[1].early, used: steps };
  },
});

export default recipe({
  id: "fedsarsa",
  paper: "Finite-Time Analysis of On-Policy Heterogeneous Federated Reinforcement Learning",
  source: "arXiv:2401.15273",
  about:
    "Agents run SARSA with linear features, each in its own environment with the softmax policy of its current weights, and a server averages the weights every few steps. Claimed: the mean squared error of the weights falls in proportion to the number of agents (linear speedup), down to a floor that grows with the heterogeneity of the environments.",
  system: arm("FedSARSA", "often"),
  baselines: [arm("SARSA alone", "never"), arm("one average, at the end", "once")],
  ablations: [arm("FedSARSA, steps decay", "often", true)],
  metrics: {
    error: { about: "squared weight error, 20 identical agents", better: "lower", worst: 1e4, best: 0 },
    speedup: {
      about: "exponent of the speedup in the number of agents",
      better: "higher",
      worst: -10,
      best: "open",
    },
    floor: {
      about: "exponent of the error floor in heterogeneity",
      better: "higher",
      worst: -10,
      best: "open",
    },
  },
  claims: [
    {
      kind: "equals",
      metric: "speedup",
      value: 1,
      within: 0.2,
      because: "linear speedup is an exponent of 1; at 0.8, twenty agents do the work of eleven",
      paper: "1, up to the floor, for fixed steps (in theory)",
    },
    {
      kind: "equals",
      metric: "floor",
      value: 2,
      within: 0.4,
      because: "the distance to the optimum is proportional to heterogeneity, so its square has exponent 2",
      paper: "2 (in theory)",
    },
    {
      kind: "ratio",
      metric: "error",
      contrast: ["FedSARSA", "SARSA alone"],
      smallest: 10,
      because: "half of the 20 that linear speedup promises to 20 agents",
    },
    {
      kind: "equals",
      metric: "speedup",
      of: "FedSARSA, steps decay",
      value: 1,
      within: 0.2,
      because: "as for fixed steps",
      paper: "1, for steps that decay (in theory)",
    },
  ],
  grid,
  replicates: "problem",
  minutes: 5,
  budget: { unit: "steps an agent", full: 20_000, quick: 500 },
  deviations: [
    "Random MDPs with 10 states, 3 actions and 4 features replace the paper's with 100, 100 and 25.",
    "Every state can follow every other and the discount factor is 0.5, so that the initial weights are forgotten within the budget.",
    "Heterogeneity is the share of each agent's MDP that is its own, 0.2 and 0.4 for the floor.",
    "Weights are not projected onto a ball: they stay bounded without it.",
  ],
  tried: [
    "Three successors per state, 6 features and a discount factor of 0.8: some MDPs are so badly conditioned that the initial weights are not forgotten; the exponent was 0.54 and 0.63 on two sets of ten seeds.",
  ],
  finding: (f) =>
    `The speedup is linear and the floor grows with heterogeneity, as the theory predicts. Frequent averaging is not the reason, since a single average at the end gives nearly the same error: with identical agents the error is ${f.mean("one average, at the end", "error")} with one average, ${f.mean("FedSARSA", "error")} with an average every ${local} steps and ${f.mean("SARSA alone", "error")} without. Heterogeneous agents do better alone: where a fifth of each MDP is the agent's own, the error is ${f.mean("FedSARSA", "some")} together and ${f.mean("SARSA alone", "some")} alone, at two fifths ${f.mean("FedSARSA", "more")} and ${f.mean("SARSA alone", "more")}. The exponent of the speedup is ${f.effect(0)}, that of the floor ${f.effect(1)}.`,
});
