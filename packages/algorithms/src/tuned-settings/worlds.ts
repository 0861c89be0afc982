import * as signals from "@reins/core/signals";
import type { TunedTable } from "./table.ts";

const { linear } = signals;

/** Running and hopping bodies: large batches, many epochs, normalised observations and rewards. */
const planar = {
  options: {
    envs: 64,
    steps: 64,
    learningRate: linear(1e-3, 0),
    minibatches: 16,
    epochs: 8,
    entropyWeight: 0,
    clipValue: false,
  },
  wrappers: ["normaliseObservation", "normaliseReward"],
};

/** Memory tasks; `--memory transformer` solves them too, and `--memory none` does not. */
const remembering = {
  memory: "gru" as const,
  envs: 32,
  steps: 64,
  minibatches: 4,
  epochs: 4,
  learningRate: linear(2e-3, 0),
  hidden: [32],
  units: 32,
  gamma: 0.98,
  memorySteps: 16,
  memoryHeads: 2,
};

/** MinAtar games of ten by ten cells: one body for both heads, and many parallel games. */
const games = {
  steps: 500_000,
  options: {
    envs: 64,
    steps: 64,
    minibatches: 8,
    epochs: 3,
    learningRate: linear(1e-3, 0),
    shared: true,
    hidden: [128],
  },
};

/** DQN on the same games, one minibatch per four steps; found on Breakout alone. */
const replayed = {
  steps: 400_000,
  options: {
    trainEvery: 4,
    batch: 32,
    learningRate: linear(1e-3, 1e-4),
    epsilon: linear(1, 0.01, 0.1),
    nStep: 3,
    targetEvery: 250,
    capacity: 100_000,
    hidden: [128],
    learningStarts: 5000,
  },
};

/** Settings for locomotion, small games and memory tasks, found on seed 0; those of the T-maze on seeds 0 to 7. */
export const worldsTuned: TunedTable = {
  "ppo/PlanarHopper-v0": { steps: 1_000_000, ...planar },
  "ppo/PlanarCheetah-v0": { steps: 2_000_000, ...planar },
  // Found on seeds 0 to 3: a missed ball ends the game, and more updates learn to meet it.
  "ppo/MinAtar/Breakout-v1": {
    ...games,
    options: { ...games.options, steps: 32, epochs: 4, learningRate: linear(2.5e-3, 0) },
  },
  "ppo/MinAtar/SpaceInvaders-v1": games,
  "dqn/MinAtar/Breakout-v1": replayed,
  "dqn/MinAtar/SpaceInvaders-v1": replayed,
  // With less entropy one seed in eight never finds the end of the corridor.
  "ppo/TMaze-v0": { steps: 300_000, options: { ...remembering, entropyWeight: 0.03 } },
  "ppo/MemoryCorridor-v0": { steps: 1_000_000, options: remembering },
  "ppo/RepeatCopy-v0": { steps: 2_000_000, options: { ...remembering, units: 64, entropyWeight: 0.03 } },
};
