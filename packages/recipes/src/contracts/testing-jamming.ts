import type { Simple } from "../claims/claim.ts";
import { recipe } from "../make.ts";
import type { Contract, Made } from "./testing.ts";

const jammers = ["constant", "sweeping", "random", "dynamic"] as const;
const share = { better: "higher", worst: 0, best: 1 } as const;
const against = (gain: number, more: Made[string]): Made[string] => ({
  ...Object.fromEntries(jammers.map((j, i) => [j, [gain - 0.01 * i, 0.02] as const])),
  ...more,
});

/** Robust against every jammer; and which of five variants suffices for a small device. */
export const antiJamming: Contract = {
  recipe: (side) =>
    recipe({
      id: "dqn-anti-jamming",
      paper:
        "Defeating Proactive Jammers Using Deep Reinforcement Learning for Resource-Constrained IoT Networks",
      source: "arXiv:2307.06796",
      about:
        "Five variants of DQN evade jammers of every strategy; the lightest that learns as soon is to be found.",
      system: side("dqn"),
      baselines: [
        side("hopping"),
        side("double"),
        side("dueling"),
        side("prioritised"),
        side("dueling double"),
      ],
      metrics: {
        ...Object.fromEntries(jammers.map((j) => [j, { about: `throughput, ${j} jammer`, ...share }])),
        steps: { about: "steps to 90% throughput", better: "lower", worst: 20_000, best: 0 },
        multiplications: { about: "multiplications a decision", better: "lower", worst: 1e6, best: "open" },
      },
      claims: [
        {
          kind: "joint",
          because: "regardless of the strategy: each jammer, none in the mean of others",
          of: jammers.map(
            (metric): Simple => ({
              metric,
              smallest: 0.1,
              contrast: ["dqn", "hopping"],
              because: "a tenth of what the channel can carry",
            }),
          ),
        },
        {
          kind: "joint",
          because: "regardless of the strategy: no jammer is worse to have than the constant one",
          of: jammers.slice(1).map(
            (metric): Simple => ({
              kind: "no-worse",
              metric: [metric, "constant"],
              contrast: ["dqn", "dqn"],
              margin: 0.1,
              because: "a tenth of what the channel can carry",
            }),
          ),
        },
        {
          kind: "equivalent",
          metric: "dynamic",
          sides: ["dqn", "double", "dueling", "prioritised", "dueling double"],
          within: 0.05,
          because: "half of what hopping is to be beaten by",
        },
        {
          kind: "joint",
          because: "the least complex that learns as soon as another",
          of: [
            {
              kind: "ratio",
              metric: "multiplications",
              smallest: 1.2,
              contrast: ["dqn", "dueling double"],
              because: "a fifth of a small battery",
            },
            {
              kind: "no-worse",
              metric: "steps",
              margin: 1000,
              contrast: ["dqn", "dueling double"],
              because: "a twentieth of the training",
            },
          ],
        },
      ],
      tuneOn: "dynamic",
      budget: { unit: "steps", full: 20_000, quick: 100 },
      deviations: ["Eight channels and what a network card would measure of them."],
    }),
  cases: [
    {
      made: {
        dqn: against(0.9, { steps: [6000, 500], multiplications: 5000 }),
        hopping: against(0.6, { steps: Number.POSITIVE_INFINITY, multiplications: 1 }),
        double: against(0.91, { steps: [6000, 500], multiplications: 5000 }),
        dueling: against(0.9, { steps: [5500, 500], multiplications: 7000 }),
        prioritised: against(0.9, { steps: [5000, 500], multiplications: 5000 }),
        "dueling double": against(0.91, { steps: [5800, 500], multiplications: 7000 }),
      },
      implies: ["shown", "shown", "shown", "shown"],
    },
    {
      // One jammer is too strong; one variant is better than the others, and learns sooner.
      made: {
        dqn: against(0.9, { random: [0.6, 0.02], steps: [9000, 500], multiplications: 5000 }),
        hopping: against(0.6, { steps: Number.POSITIVE_INFINITY, multiplications: 1 }),
        double: against(0.9, { steps: [6000, 500], multiplications: 5000 }),
        dueling: against(0.9, { steps: [5500, 500], multiplications: 7000 }),
        prioritised: against(0.99, { steps: [5000, 500], multiplications: 5000 }),
        "dueling double": against(0.9, { steps: [5800, 500], multiplications: 7000 }),
      },
      implies: ["negligible", "reversed", "reversed", "reversed"],
    },
  ],
};
