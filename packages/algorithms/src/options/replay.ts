import { choice, code, type Setting, setting, size } from "@reins/core";
import * as signals from "@reins/core/signals";
import type { Augmentation } from "../images/augment.ts";

export const epsilon = (value: Setting) =>
  setting(
    value,
    "Probability of a random action. Higher explores more and performs worse (1 falling to 0.01).",
    {
      within: "share",
    },
  );

/** How a target network follows the one that learns. */
export const targetNetwork = {
  tau: setting(
    1,
    "Polyak coefficient of the target network: 1 copies the online network, 0.005 follows it slowly.",
    {
      within: "share",
    },
  ),
  targetEvery: setting(
    50,
    "Updates between target network updates. More is steadier and slower (1 with a small tau; 50 to 10000).",
    { within: "positive" },
  ),
};

/** Options of methods whose actor is trained against critics. */
export const actorCritic = (usual: { readonly learningRate: number; readonly criticRate?: number }) => ({
  learningRate: setting(
    usual.learningRate,
    "Learning rate of the actor. Higher learns faster until it diverges (1e-4 to 1e-3).",
    { within: "nonnegative" },
  ),
  criticRate: setting(usual.criticRate ?? 1e-3, "Learning rate of the critics (3e-4 to 1e-3).", {
    within: "nonnegative",
  }),
  tau: setting(
    0.005,
    "Polyak coefficient of the target networks. Higher follows faster and less steadily (0.001 to 0.02).",
    { within: "share" },
  ),
  correlation: setting(
    0,
    "Continuous actions: correlation of the noise between steps. Higher explores along longer arcs (0 to 0.99).",
    { within: "share" },
  ),
});

/** Options of methods that learn from a replay buffer. */
export const replayed = (usual: {
  readonly batch: number;
  readonly capacity: number;
  readonly trainEvery: number;
  readonly updates?: number;
}) => ({
  batch: size(usual.batch, "Minibatch size. More is steadier and costs more (32 to 512).", {
    within: "count",
  }),
  capacity: size(
    usual.capacity,
    "Replay buffer size. More keeps older transitions and takes more memory (10⁴ to 10⁶).",
    { within: "count" },
  ),
  learningStarts: size(
    1000,
    "Random steps before the first update. More gives the first updates more varied data (100 to 50000).",
    { within: "whole" },
  ),
  envs: size(1, "Parallel environments. More gives fresher, more varied data per update (1 to 64).", {
    within: "count",
  }),
  trainEvery: size(
    usual.trainEvery,
    "Steps of each environment between updates. Fewer learns more from each step and takes longer (1 to 64).",
    { within: "count" },
  ),
  updates: setting(
    usual.updates ?? 1,
    "Updates each time. More learns more from each step, until it overfits (0.25 to 8 per step).",
    { within: "nonnegative" },
  ),
  nStep: size(
    1,
    "Steps of an n-step return before bootstrapping. More propagates rewards faster, with more off-policy bias (1 to 10).",
    { within: "count" },
  ),
});

/** Hindsight experience replay. */
export const hindsight = {
  hindsight: size(
    0,
    "Hindsight experience replay: extra copies of each step whose goal is one that its episode reached (Andrychowicz et al., 2017); 0: off. More learns more from failures (4 to 8).",
    { within: "whole" },
  ),
  hindsightGoals: choice<"future" | "final">(
    "future",
    ["future", "final"],
    "Hindsight experience replay: which reached goals are used, of a random later step, or of the last step (one copy).",
  ),
};

/** Data augmentation. */
export const augment = {
  augment: code<Augmentation>(
    "Random augmentation of observations before each update: (observation, key) => observation, such as randomShift(2) for images.",
  ),
};

/** Prioritised experience replay. */
export const prioritised = {
  prioritised: size(
    false,
    "Prioritised experience replay: transitions with large TD errors are sampled more often (Schaul et al., 2016).",
  ),
  alpha: setting(0.6, "Prioritised replay: exponent of the TD error; 0 samples uniformly (0.4 to 0.7).", {
    within: "nonnegative",
  }),
  beta: setting(
    signals.linear(0.4, 1),
    "Prioritised replay: exponent of the importance weights; 1 corrects the sampling bias fully (0.4 rising to 1).",
    { within: "share" },
  ),
};
