import * as signals from "@reins/core/signals";
import type { TunedTable } from "./table.ts";

const { linear } = signals;

/**
 * Settings for each environment, found on seeds 0 to 9. Other options keep the algorithm's default. One small
 * hidden layer suffices for all of them, with a large learning rate that decays to 0: it avoids forgetting late in
 * training.
 */
export const onPolicyTuned: TunedTable = {
  "ppo/CartPole-v1": {
    steps: 500_000,
    options: {
      envs: 16,
      steps: 32,
      hidden: [32],
      learningRate: linear(5e-3, 0),
      gamma: 0.98,
      lambda: 0.9,
      entropyWeight: 0,
      clipValue: false,
    },
  },
  "ppo/Acrobot-v1": {
    steps: 500_000,
    options: {
      envs: 16,
      steps: 64,
      hidden: [64],
      learningRate: linear(3e-3, 0),
      lambda: 0.94,
      entropyWeight: 0,
      clipValue: false,
    },
  },
  "ppo/MountainCar-v0": {
    steps: 1_000_000,
    options: {
      envs: 16,
      steps: 32,
      hidden: [64],
      learningRate: linear(3e-3, 0),
      gamma: 0.995,
      lambda: 0.98,
      entropyWeight: 0,
      clipValue: false,
    },
    wrappers: ["normaliseObservation", "normaliseReward"],
  },
  // Correlated noise climbs the hill by itself; independent noise hardly ever does.
  "ppo/MountainCarContinuous-v0": {
    steps: 100_000,
    options: {
      envs: 8,
      hidden: [64],
      learningRate: 1e-3,
      gamma: 0.999,
      entropyWeight: 0,
      clipValue: false,
      epochs: 10,
      minibatches: 8,
      noise: "correlated",
      noiseMemory: 0.95,
    },
    wrappers: ["normaliseObservation", "normaliseReward"],
  },
  "ppo/Pendulum-v1": {
    steps: 300_000,
    options: {
      envs: 16,
      learningRate: linear(1e-3, 0),
      gamma: 0.95,
      entropyWeight: 0,
      clipValue: false,
      epochs: 10,
      minibatches: 16,
      noise: "correlated",
      noiseMemory: 0.5,
    },
    wrappers: ["normaliseReward"],
  },
  // Found on seeds 0 to 4.
  "ppo/LunarLander-v3": {
    steps: 500_000,
    options: {
      envs: 16,
      steps: 256,
      learningRate: linear(1e-3, 0),
      gamma: 0.995,
      lambda: 0.97,
      clipValue: false,
      minibatches: 32,
    },
    wrappers: ["normaliseReward"],
  },
  "ppo/FrozenLake-v1": {
    steps: 500_000,
    options: { envs: 16, steps: 64, hidden: [], learningRate: linear(1e-2, 0) },
  },
  "a2c/CartPole-v1": {
    steps: 500_000,
    options: {
      envs: 16,
      steps: 8,
      hidden: [32],
      learningRate: linear(3e-3, 0),
      gamma: 0.98,
      lambda: 0.95,
      entropyWeight: 0,
    },
  },
  "trpo/CartPole-v1": {
    steps: 100_000,
    options: { hidden: [32], maxKl: 0.02, learningRate: 3e-3, gamma: 0.98, minibatches: 8 },
  },
  // Short batches and normalised advantages; nine of ten seeds succeed.
  "impala/CartPole-v1": {
    steps: 300_000,
    options: {
      steps: 5,
      hidden: [64],
      learningRate: linear(5e-3, 0),
      clipNorm: 5,
      optimiser: "adam",
      normalise: "batch",
    },
  },
  "ppg/CartPole-v1": {
    steps: 200_000,
    options: {
      envs: 16,
      steps: 32,
      hidden: [32],
      learningRate: linear(5e-3, 0),
      auxiliaryRate: linear(1e-3, 0),
      auxiliaryEvery: 16,
      epochs: 4,
      gamma: 0.98,
      lambda: 0.9,
      entropyWeight: 0,
    },
  },
  // Found on seeds 0 to 2.
  "pqn/CartPole-v1": {
    steps: 200_000,
    options: { learningRate: linear(2e-3, 0), lambda: 0.9, epochs: 4 },
  },
  "grpo/CartPole-v1": {
    steps: 300_000,
    options: { groups: 2, groupSize: 8, hidden: [32], learningRate: linear(1e-2, 0) },
  },
  "reinforce/CartPole-v1": {
    steps: 300_000,
    options: { episodes: 2, hidden: [32], learningRate: linear(2e-2, 0), gamma: 0.98 },
  },
};
