import { recipe } from "../make.ts";
import type { Trial } from "../recipe.ts";
import type { Contract } from "./testing.ts";

/** Environments of a suite, in order of difficulty. */
const worlds = Array.from({ length: 24 }, (_, i) => `world ${i}`);
const hardness = ({ replicate }: Trial) => worlds.indexOf(replicate);

/** The sample complexity of a simple algorithm predicts that of deep ones: a correlation over environments. */
export const sqirl: Contract = {
  recipe: (side) =>
    recipe({
      id: "sqirl-effective-horizon",
      paper: "The Effective Horizon Explains Deep RL Performance in Stochastic Environments",
      source: "arXiv:2312.08369",
      about:
        "Fitted Q-iteration of a few steps on random rollouts needs many samples where PPO and DQN do, and its bound holds.",
      system: side("suite"),
      baselines: [],
      metrics: {
        sqirl: { about: "SQIRL's log samples", better: "lower", worst: 7, best: "open" },
        ppo: { about: "PPO's log samples", better: "lower", worst: 7, best: "open" },
        dqn: { about: "DQN's log samples", better: "lower", worst: 7, best: "open" },
        excess: {
          about: "log samples above the bound of the effective horizon",
          better: "lower",
          worst: 7,
          best: "open",
        },
      },
      claims: [
        {
          kind: "correlation",
          metric: ["sqirl", "ppo"],
          smallest: 0.5,
          because: "half of the order must be explained",
          paper: "strongly correlated",
        },
        {
          kind: "correlation",
          metric: ["sqirl", "dqn"],
          smallest: 0.5,
          because: "half of the order must be explained",
        },
        { kind: "holds", metric: "excess", tolerance: 0, because: "a bound is one in every environment" },
        {
          kind: "no-worse",
          metric: ["sqirl", "ppo"],
          contrast: ["suite", "suite"],
          margin: 1,
          because: "it is said to solve about what deep algorithms solve: a factor of ten",
        },
      ],
      replicates: { what: "environment", names: worlds, seeds: 3 },
      budget: { unit: "steps", full: 1e7, quick: 1e3 },
      deviations: ["The suite has small gridworlds with sticky actions. One side runs all three algorithms."],
    }),
  cases: [
    {
      made: {
        suite: {
          sqirl: (t, z) => 3 + 0.1 * hardness(t) + 0.2 * z,
          ppo: (t, z) => 3.2 + 0.1 * hardness(t) + 0.2 * z,
          dqn: (t, z) => (hardness(t) > 21 ? Number.POSITIVE_INFINITY : 3.5 + 0.1 * hardness(t) + 0.3 * z),
          excess: (t, z) => -1.5 - 0.02 * hardness(t) + 0.05 * z,
        },
      },
      implies: ["shown", "shown", "shown", "shown"],
    },
    {
      // Environments that are hard for one are easy for PPO and equal for DQN, and one environment breaks the bound.
      made: {
        suite: {
          sqirl: (t, z) => 3 + 0.1 * hardness(t) + 0.2 * z,
          ppo: (t, z) => 5 - 0.1 * hardness(t) + 0.1 * z,
          dqn: (_, z) => 4 + 0.3 * z,
          excess: (t) => (hardness(t) === 7 ? 0.1 : -1),
        },
      },
      implies: ["reversed", "negligible", "reversed", "shown"],
    },
  ],
};
