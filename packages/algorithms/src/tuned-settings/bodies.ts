import * as signals from "@reins/core/signals";
import type { TunedTable } from "./table.ts";

const { linear } = signals;

/**
 * Half the default width and half the batch: an eighth of the compute, with learning rates large enough to
 * compensate.
 */
const half = {
  hidden: [128, 128],
  batch: 128,
  learningRate: 1e-3,
  criticRate: 1e-3,
  capacity: 300_000,
};

/** Settings for locomotion, found one environment at a time on seed 0. */
export const bodiesTuned: TunedTable = {
  "sac/HalfCheetah-v5": { steps: 300_000, options: { ...half, learningStarts: 5000 } },
  "td3/HalfCheetah-v5": { steps: 300_000, options: { ...half, learningStarts: 10_000 } },
  // With one-step returns and a discount factor of 0.98 it only learns to stand still in as many steps.
  "sac/BipedalWalker-v3": {
    steps: 300_000,
    options: {
      ...half,
      learningRate: linear(1e-3, 1e-4),
      criticRate: linear(1e-3, 1e-4),
      nStep: 3,
      learningStarts: 10_000,
      trainEvery: 2,
    },
  },
};
