import type { TunedTable } from "./table.ts";

/**
 * Settings for searches over weights, found on seeds 0 to 2. A linear policy balances a pole; swinging one up
 * takes a hidden layer.
 */
export const searchTuned: TunedTable = {
  "cem/CartPole-v1": { steps: 100_000, options: {} },
  "cma-es/CartPole-v1": { steps: 100_000, options: {} },
  "cma-es/Pendulum-v1": { steps: 4_000_000, options: { hidden: [8], episodes: 4 } },
  "ars/CartPole-v1": { steps: 100_000, options: {} },
  "es/CartPole-v1": { steps: 200_000, options: {} },
};
