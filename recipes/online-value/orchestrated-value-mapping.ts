import {
  gainsAndLosses,
  MappedValues,
  tileCoding,
  type ValueMapping,
  valueMappings,
} from "@reins/algorithms";
import { defaultRng, stream } from "@reins/core/random";
import * as envs from "@reins/envs";
import { type Grid, mean, recipe, type Trial } from "@reins/recipes";

/** A corridor with reward -1 at its left end and 1 at its right; a step slips the other way at random. */
const length = 40;
const mdp = envs.corridorModel({ length, slip: 0.2 });
/** Discount factors of the evaluation, and the maximum number of steps. */
const [gammas, horizon] = [[0.6, 0.8, 0.95], 4 * length];
const worth = (policy: Int32Array) => envs.startValue(mdp, envs.finiteValues(mdp, policy, { horizon }));
type Make = (gamma: number) => ValueMapping;
const [linear, log]: Make[] = [valueMappings.linear, (gamma) => valueMappings.log(gamma ** 100)];

/** Return of the greedy policy after Algorithm 1 with gains and losses as channels, on tiles of the given width. */
function train(gains: Make, losses: Make, [gamma, width]: number[], { seed, settings, budget }: Trial) {
  const random = defaultRng(stream(seed, "training"));
  const [channels, features] = [gainsAndLosses(gains(gamma), losses(gamma)), tileCoding(length, width)];
  const { regularRate, mappedRate = 1 } = settings as { regularRate: number; mappedRate?: number };
  const values = new MappedValues({ channels, features, actions: 2, gamma, regularRate, mappedRate });
  const early: number[] = [];
  for (let t = 0; t < budget / gammas.length / 2; t++) {
    const [state, action] = [random.integers(length), random.integers(2)];
    const next = envs.sampleOutcome(mdp, state, action, random);
    const error = values.learn(state, action, next.reward, next.terminated ? -1 : next.state);
    if (next.terminated && early.length < 5) early.push(error);
  }
  return { value: worth(Int32Array.from({ length }, (_, s) => values.best(s))), early };
}

const rates = { regularRate: [0.1, 0.3], mappedRate: [0.1, 0.3] };
const oneRate = { regularRate: [0.01, 0.03, 0.1, 0.3] };

const arm = (name: string, gains: Make, losses: Make, grid: Grid = rates) => ({
  name,
  grid,
  run(trial: Trial) {
    const at = (width: number) => gammas.map((g) => train(gains, losses, [g, width], trial));
    const [coarse, table] = [at(3), at(1)];
    const [low, middle, high] = coarse.map((c) => c.value);
    const values = { coarse: mean([low, middle, high]), table: mean(table.map((c) => c.value)), low, high };
    return { values, early: coarse[0].early, used: trial.budget };
  },
});

const returns = { better: "higher", worst: -1, best: worth(new Int32Array(length).fill(1)) } as const;
const [system, q, logQ] = ["log gains, linear losses", "Q-learning", "Log Q-learning"];
const gain = { metric: "coarse", smallest: 0.1, because: "one start in twenty that ends at the other end" };

export default recipe({
  id: "orchestrated-value-mapping",
  paper: "Orchestrated Value Mapping for Reinforcement Learning",
  source: "arXiv:2203.07171",
  about:
    "Q-learning with the reward split into channels, whose values are each learned through a mapping of their own: Q-learning, Log Q-learning and Q-decomposition are special cases. The first learning rate averages in the original space, the second learns in the mapped space. The instance tested on Atari learns gains through a logarithm, which makes distant rewards as visible as near ones, and losses linearly. Claimed: all instances converge, and such mappings help where values differ by orders of magnitude.",
  system: arm(system, log, linear),
  baselines: [arm(q, linear, linear, oneRate), arm(logQ, log, log)],
  metrics: {
    coarse: { about: "greedy return with coarse features, mean of three discount factors", ...returns },
    table: { about: "greedy return with a table, mean of three discount factors", ...returns },
  },
  claims: [
    { ...gain, contrast: [system, q], paper: "LogLinDQN is tried on Atari (no figures in the abstract)" },
    { ...gain, contrast: [system, logQ] },
    { ...gain, contrast: [logQ, q] },
    { kind: "at-least", metric: "table", value: 0.97, because: "about a hundredth below the best, 0.983" },
  ],
  limits: { regularRate: [0.0003, 1], mappedRate: [0.01, 1] },
  budget: { unit: "steps", full: 180_000, quick: 3000 },
  minutes: 2,
  deviations: [
    "A corridor of 40 cells with overlapping tiles of three and random actions replaces Atari games and networks: with a discount factor of 0.6 the value of an end falls to a billionth along the way.",
    "Convergence is judged by the greedy policy of a table, at constant learning rates.",
  ],
  tried: [
    "A wall instead of the left end and a loss of 0.01 in every step, three seeds, untuned: no arm came near the optimum; with coarse features Q-learning 0.02, log gains with linear losses -0.57, Log Q-learning -0.59 on average.",
  ],
  finding: (f) =>
    `The claim is reversed: mapping gains alone is worse than no mapping, and Log Q-learning is best. It is a single corridor, in which losses are as rare and as distant as gains, so that distant gains are small compared with the errors of linear losses. With coarse features the arm "${system}" reaches ${f.mean(system, "coarse")}, ${q} ${f.mean(q, "coarse")} and ${logQ} ${f.mean(logQ, "coarse")}, the optimum is 0.983; at a discount factor of 0.6 they reach ${f.mean(system, "low")}, ${f.mean(q, "low")} and ${f.mean(logQ, "low")}, at 0.95 ${f.mean(system, "high")}, ${f.mean(q, "high")} and ${f.mean(logQ, "high")}. With a table they reach ${f.mean(system, "table")}, ${f.mean(q, "table")} and ${f.mean(logQ, "table")}.`,
});
