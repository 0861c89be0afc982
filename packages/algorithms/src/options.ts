import { choice, code, type Setting, setting, size } from "@reins/core";
import type { NetworkMaker } from "@reins/core/policies";
import * as signals from "@reins/core/signals";
import type * as nn from "@reins/nn";
import type { Augmentation } from "./images/augment.ts";

/** Option rows shared by several methods; only the defaults differ. */

export const discount = (value = 0.99) =>
  setting(value, "Discount factor. Higher looks further ahead, with more variance (0.9 to 0.999).", {
    within: "share",
  });

export const epsilon = (value: Setting) =>
  setting(
    value,
    "Probability of a random action. Higher explores more and performs worse (1 falling to 0.01).",
    {
      within: "share",
    },
  );

export const hidden = (widths: readonly number[], about = "Widths of the hidden layers.") =>
  size<readonly number[]>(widths, about);

/** Network options for custom bodies; `more` lists further options that a whole network replaces. */
export const bodyOptions = (more: { readonly [option: string]: unknown }) => ({
  encoder: code<NetworkMaker>(
    "Turns observations into features before the hidden layers: ({ space, inputs }) => a layer or a body. Chosen by the observation space by default.",
  ),
  network: code<NetworkMaker>(
    "The whole body, instead of encoder and hidden layers: ({ space, inputs }) => a layer or a body.",
    { encoder: undefined, hidden: [], ...more },
  ),
});

export const body = bodyOptions({});

/** Network options with a choice of activation. */
export const activatedBody = {
  activation: size<nn.Activation>("tanh", "Activation of the hidden layers."),
  ...bodyOptions({ activation: undefined }),
};

export const klEvery = size(
  10,
  "On language tasks without a KL penalty: updates between measurements of the KL divergence from the reference (policy/reference-kl); 0: never, which saves a copy of the weights. Fewer cost more forward passes (5 to 100).",
  { within: "whole" },
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
    "Random augmentation of observations before each update: (observation, key) => observation, such as shifted(2) for images.",
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

/** Gradient accumulation. */
export const accumulate = size(
  1,
  "Gradient accumulation: parts in which the gradient of a minibatch is computed, one after another. More needs less memory and gives the same gradient (1 to the minibatch size).",
  { within: "count" },
);

/** The actor network for methods that learn from whole episodes. */
export const actor = {
  hidden: size<readonly number[]>([64, 64], "Widths of the hidden layers."),
  ...activatedBody,
  continuous: choice<"normal" | "tanh" | "beta">(
    "normal",
    ["normal", "tanh", "beta"],
    "Distribution of continuous actions.",
  ),
  logStd: size(0, "Initial log standard deviation of continuous actions. Lower explores less (-2 to 0).", {
    within: "any",
  }),
};

/** Recurrent and attention memory of a policy. */
export const memory = {
  memory: choice<"none" | "gru" | "lstm" | "mingru" | "ffm" | "transformer" | "hcam">(
    "none",
    ["none", "gru", "lstm", "mingru", "ffm", "transformer", "hcam"],
    "Memory over the steps of an episode: mingru is the fastest, ffm has decaying traces, transformer attends to a window of steps, hcam to the relevant chunks of it.",
  ),
  units: size(64, "Memory state size. More remembers more and costs quadratically (32 to 512).", {
    within: "count",
  }),
  memoryLayers: size(1, "Memory layers. More combines more of the past (1 to 4).", {
    within: "count",
  }),
  memorySteps: size(
    32,
    "Transformer: attention window in steps. More reaches further back and costs more (16 to 256).",
    { within: "count" },
  ),
  memoryHeads: size(
    4,
    "Transformer: attention heads, which must divide units. More attends to more steps at once, each more coarsely (1 to 8).",
    { within: "count" },
  ),
  memoryChunk: size(8, "Hcam: steps per chunk. Longer chunks are fewer, with coarser summaries (4 to 32).", {
    within: "count",
  }),
  memoryRecall: size(4, "Hcam: chunks attended to at a time. More finds more, with more noise (1 to 16).", {
    within: "count",
  }),
  memoryJoin: choice<"gates" | "pre-norm" | "post-norm">(
    "gates",
    ["gates", "pre-norm", "post-norm"],
    "Transformer: how layers are joined, by gates as in GTrXL, or by residual sums with layer norm before (pre-norm) or after (post-norm).",
  ),
};

/** A critic with several heads, each with its own discount factor. */
export const streams = {
  discounts: size<readonly number[]>(
    [],
    "Discount factors of the critic's heads: one for each of several rewards, or several for one reward. By default one head, with gamma.",
  ),
  discountWeights: size<readonly number[]>([], "Weight of each head in the advantage. By default 1 each."),
};

/** Output form of the critic. */
export const values = choice<"plain" | "symlog" | "two-hot">(
  "plain",
  ["plain", "symlog", "two-hot"],
  "Output form of the critic: values, symlog values, or a two-hot distribution over bins (Hafner et al., 2023). The last two handle returns of any scale.",
);

/** PopArt normalisation of the critic. */
export const popArt = {
  popArt: size(
    false,
    "PopArt: the critic's output scale follows the returns, whatever their size (van Hasselt et al., 2016).",
  ),
  popArtRate: setting(
    0.1,
    "PopArt: weight of the last batch in the scale. Higher follows faster and less steadily (0.01 to 0.3).",
    { within: "share" },
  ),
};
