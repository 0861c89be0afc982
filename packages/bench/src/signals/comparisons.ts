import { adaptiveDqn, adaptivePpo, dqn, penaltyPpo, ppo } from "@reins/algorithms";
import type { Algorithm } from "@reins/core";

/** A controller and constants for the same setting of the same method. */
export interface Comparison {
  readonly controller: string;
  readonly method: string;
  readonly setting: string;
  readonly follows: string;
  readonly env: string;
  readonly steps: number;
  readonly adaptive: () => Algorithm;
  /** Constants to try; the best on the tuning seeds is compared with the controller. */
  readonly constants: readonly number[];
  readonly constant: (value: number) => Algorithm;
}

const small = { envs: 8, steps: 64, epochs: 6, minibatches: 4 };
/** A controller with its default settings, otherwise plain PPO. */
const shipped = <K extends "learningRate" | "entropyWeight" | "clipNorm">(name: K) => ({
  [name]: adaptivePpo.definition.options[name].default,
});

/** Every controller, each in the method that ships with it. */
export const comparisons: readonly Comparison[] = [
  {
    controller: "pi",
    method: "ppo-adaptive",
    setting: "learningRate",
    follows: "policy/kl",
    env: "CartPole-v1",
    steps: 60_000,
    adaptive: () => ppo({ ...small, ...shipped("learningRate") }),
    constants: [1e-4, 3e-4, 1e-3, 3e-3, 1e-2],
    constant: (learningRate) => ppo({ ...small, learningRate }),
  },
  {
    controller: "dual",
    method: "ppo-adaptive",
    setting: "entropyWeight",
    follows: "policy/entropy",
    env: "Acrobot-v1",
    steps: 60_000,
    adaptive: () => ppo({ ...small, learningRate: 1e-3, ...shipped("entropyWeight") }),
    constants: [0, 0.003, 0.01, 0.03, 0.1],
    constant: (entropyWeight) => ppo({ ...small, learningRate: 1e-3, entropyWeight }),
  },
  {
    controller: "average",
    method: "ppo-adaptive",
    setting: "clipNorm",
    follows: "gradient/norm",
    env: "CartPole-v1",
    steps: 60_000,
    adaptive: () => ppo({ ...small, learningRate: 1e-3, ...shipped("clipNorm") }),
    constants: [0.05, 0.2, 0.5, 2, 10],
    constant: (clipNorm) => ppo({ ...small, learningRate: 1e-3, clipNorm }),
  },
  {
    controller: "multiplicative",
    method: "ppo-penalty",
    setting: "klWeight",
    follows: "policy/kl",
    env: "CartPole-v1",
    steps: 60_000,
    adaptive: () => penaltyPpo({ ...small, learningRate: 1e-3 }),
    constants: [0.1, 0.3, 1, 3, 10],
    constant: (klWeight) => penaltyPpo({ ...small, learningRate: 1e-3, klWeight }),
  },
  {
    controller: "bandit",
    method: "dqn-adaptive",
    setting: "epsilon",
    follows: "return/mean",
    env: "CartPole-v1",
    steps: 30_000,
    adaptive: () => dqn({ epsilon: adaptiveDqn.definition.options.epsilon.default }),
    constants: [0.3, 0.1, 0.03, 0.01],
    constant: (epsilon) => dqn({ epsilon }),
  },
  {
    controller: "quantile",
    method: "dqn-adaptive",
    setting: "clipNorm",
    follows: "gradient/norm",
    env: "CartPole-v1",
    steps: 30_000,
    adaptive: () => dqn({ epsilon: 0.1, clipNorm: adaptiveDqn.definition.options.clipNorm.default }),
    constants: [0.1, 0.5, 1, 5, 20],
    constant: (clipNorm) => dqn({ epsilon: 0.1, clipNorm }),
  },
];
