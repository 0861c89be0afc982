import { signals } from "@reins/core";
import type { TunedTable } from "./table.ts";

const { linear } = signals;

/** Half the usual width and half the batch: an eighth of the work, and steps large enough to make up for it. */
const half = {
  hidden: [128, 128],
  batch: 128,
  learningRate: 1e-3,
  criticRate: 1e-3,
  capacity: 300_000,
};

/** Settings found for bodies that walk and run, one at a time, on seed 0. */
export const bodiesTuned: TunedTable = {
  "sac/HalfCheetah-v5": { steps: 300_000, options: { ...half, learningStarts: 5000 } },
  "td3/HalfCheetah-v5": { steps: 300_000, options: { ...half, learningStarts: 10_000 } },
  // Looking one step ahead with a discount of 0.98 it learns to stand still, and nothing else, in as many steps.
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
