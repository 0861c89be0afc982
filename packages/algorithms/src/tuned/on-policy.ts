import type { TunedTable } from "./table.ts";

/** Settings found for each environment, on seeds below 100. What is not named is the algorithm's default. */
export const onPolicyTuned: TunedTable = {
  "ppo/CartPole-v1": {
    steps: 500_000,
    options: {
      envs: 8,
      steps: 32,
      epochs: 10,
      minibatches: 4,
      learningRate: 1e-3,
      gamma: 0.98,
      lambda: 0.8,
      entropyWeight: 0,
    },
  },
};
