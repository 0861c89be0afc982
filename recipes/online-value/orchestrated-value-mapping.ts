import { MappedValues, signed, tiles, type ValueMapping, valueMappings } from "@reins/algorithms";
import { defaultRng, stream } from "@reins/core";
import * as envs from "@reins/envs";
import { type Grid, mean, recipe, type Trial } from "@reins/recipes";

/** A corridor loses 1 at its left end and pays 1 at its right; a step goes the other way by chance. */
const length = 40;
const mdp = envs.corridorModel({ length, slip: 0.2 });
/** Discounts that all are measured at, and steps in which an end must be reached. */
const [gammas, horizon] = [[0.6, 0.8, 0.95], 4 * length];
const worth = (policy: Int32Array) => envs.startValue(mdp, envs.finiteValues(mdp, policy, { horizon }));
type Make = (gamma: number) => ValueMapping;
const [linear, log]: Make[] = [valueMappings.linear, (gamma) => valueMappings.log(gamma ** 100)];

/** What the greedy policy comes to after Algorithm 1 with gains and losses as channels, on features of a width. */
function train(gains: Make, losses: Make, [gamma, width]: number[], { seed, settings, budget }: Trial) {
  const random = defaultRng(stream(seed, "training"));
  const [channels, features] = [signed(gains(gamma), losses(gamma)), tiles(length, width)];
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

const side = (name: string, gains: Make, losses: Make, grid: Grid = rates) => ({
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
    "Q-learning in which the reward is split into channels, and the values of each are learned through a mapping of its own: Q-learning, Log Q-learning and Q-decomposition are cases of it. Among values the first rate averages over chance, among mapped values the second learns. The instance that is tried on Atari learns gains through a logarithm, which makes far rewards as visible as near ones, and losses as they are. Claimed: all of it converges, and such mappings help where values differ by orders of magnitude.",
  system: side(system, log, linear),
  baselines: [side(q, linear, linear, oneRate), side(logQ, log, log)],
  metrics: {
    coarse: { about: "return of the greedy policy, coarse features, three discounts", ...returns },
    table: { about: "the same with a table", ...returns },
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
    "A corridor of 40 cells with overlapping tiles of three, acted in at random, stands for Atari games and networks: with a discount of 0.6 what an end is worth falls to a billionth on the way.",
    "That it converges is judged by what the greedy policy of a table comes to, at rates that stay as they are.",
  ],
  tried: [
    "A wall in place of the left end and a loss of 0.01 in every step, three seeds, untuned: none came near the best; with coarse features Q-learning 0.02, log gains with linear losses -0.57, Log Q-learning -0.59 on average.",
  ],
  finding: (f) =>
    `It is one corridor, in which losses are as rare and as far as gains, and half a mapping is worse there than none: what is far in gains is small beside the errors of linear losses. With coarse features ${system} come to ${f.mean(system, "coarse")}, ${q} to ${f.mean(q, "coarse")} and ${logQ} to ${f.mean(logQ, "coarse")}, the best to 0.983; at a discount of 0.6 it is ${f.mean(system, "low")}, ${f.mean(q, "low")} and ${f.mean(logQ, "low")}, at 0.95 ${f.mean(system, "high")}, ${f.mean(q, "high")} and ${f.mean(logQ, "high")}. In a table all are at ${f.mean(system, "table")}, ${f.mean(q, "table")} and ${f.mean(logQ, "table")}.`,
});
