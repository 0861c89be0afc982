import { choice, code, type NetworkMaker, type Setting, setting, signals, size } from "@reins/core";
import type * as nn from "@reins/nn";
import type { Augmentation } from "./pictures/augment.ts";

/** Option rows that several methods share: what they do is the same everywhere, only the usual values differ. */

export const discount = (value = 0.99) =>
  setting(value, "Discount. Higher looks further ahead and varies more (0.9 to 0.999).", { within: "share" });

export const epsilon = (value: Setting) =>
  setting(value, "Share of random actions. Higher explores more and plays worse (1 falling to 0.01).", {
    within: "share",
  });

export const hidden = (widths: readonly number[], about = "Widths of the hidden layers.") =>
  size<readonly number[]>(widths, about);

/** The networks that methods begin with, in exchange for one's own; `more` is what else a whole network stands in the place of. */
export const bodyBeside = (more: { readonly [option: string]: unknown }) => ({
  encoder: code<NetworkMaker>(
    "Turns observations into features before the hidden layers: ({ space, inputs }) => a layer or a body. By default what fits the space.",
  ),
  network: code<NetworkMaker>(
    "The whole body, in the place of encoder and hidden layers: ({ space, inputs }) => a layer or a body.",
    { encoder: undefined, hidden: [], ...more },
  ),
});

export const body = bodyBeside({});

/** The same, where the activation between hidden layers can be chosen. */
export const activatedBody = {
  activation: size<nn.Activation>("tanh", "Activation of the hidden layers."),
  ...bodyBeside({ activation: undefined }),
};

export const klEvery = size(
  10,
  "On language tasks without a KL penalty: updates between measurements of the KL divergence from the reference (policy/reference-kl); 0: never, which saves a copy of the weights. Fewer cost more forward passes (5 to 100).",
  { within: "whole" },
);

/** How a target network follows the one that learns. */
export const targetNetwork = {
  tau: setting(1, "How far the target network moves at a time: 1 copies, 0.005 follows slowly.", {
    within: "share",
  }),
  targetEvery: setting(
    50,
    "Updates between moves of the target network. More is steadier and slower (1 with a small tau; 50 to 10000).",
    { within: "positive" },
  ),
};

/** What methods have whose actor climbs critics. */
export const climbing = (usual: { readonly learningRate: number; readonly criticRate?: number }) => ({
  learningRate: setting(
    usual.learningRate,
    "Size of the actor's steps. Higher learns faster until it diverges (1e-4 to 1e-3).",
    { within: "nonnegative" },
  ),
  criticRate: setting(usual.criticRate ?? 1e-3, "Size of the critics' steps (3e-4 to 1e-3).", {
    within: "nonnegative",
  }),
  tau: setting(
    0.005,
    "How far target networks move at a time. Higher follows faster and less steadily (0.001 to 0.02).",
    { within: "share" },
  ),
  correlation: setting(
    0,
    "Continuous actions: share of the noise kept from step to step. Higher explores along longer arcs (0 to 0.99).",
    { within: "share" },
  ),
});

/** What every method has that learns from replayed transitions. */
export const replayed = (usual: {
  readonly batch: number;
  readonly capacity: number;
  readonly trainEvery: number;
  readonly updates?: number;
}) => ({
  batch: size(usual.batch, "Entries in a minibatch. More is steadier and costs more (32 to 512).", {
    within: "count",
  }),
  capacity: size(
    usual.capacity,
    "Transitions remembered. More forgets later and takes more memory (10⁴ to 10⁶).",
    { within: "count" },
  ),
  learningStarts: size(
    1000,
    "Random steps before learning. More gives the first updates more to see (100 to 50000).",
    { within: "whole" },
  ),
  envs: size(1, "Environments played at once. More gives fresher, more varied data an update (1 to 64).", {
    within: "count",
  }),
  trainEvery: size(
    usual.trainEvery,
    "Steps of each environment between updates. Fewer learns more from each step and takes longer (1 to 64).",
    { within: "count" },
  ),
  updates: setting(
    usual.updates ?? 1,
    "Updates at a time. More learns more from each step, until it overfits (0.25 to 8 a step).",
    { within: "nonnegative" },
  ),
  nStep: size(
    1,
    "Steps of rewards before the estimate takes over. More carries rewards back faster, with more of old behaviour in them (1 to 10).",
    { within: "count" },
  ),
});

/** Whether steps are learned from again with goals that were reached without being wanted. */
export const hindsight = {
  hindsight: size(
    0,
    "Goals: how often each step is remembered again with a goal that its episode did reach (Andrychowicz et al., 2017); 0: never. More learns more from failures (4 to 8).",
    { within: "whole" },
  ),
  hindsightGoals: choice<"future" | "final">(
    "future",
    ["future", "final"],
    "Hindsight: which goals these are, what a random later step reached, or what the last one did, once.",
  ),
};

/** Whether observations are changed before they are learned from. */
export const augment = {
  augment: code<Augmentation>(
    "Changes observations before each update, by chance, where that should not matter: (observation, key) => observation, such as shifted(2) for pictures.",
  ),
};

/** Whether entries with large errors are learned from more often, and how. */
export const prioritised = {
  prioritised: size(false, "Entries with large errors are learned from more often (Schaul et al., 2016)."),
  alpha: setting(0.6, "Prioritised: how much errors count; 0 is uniform (0.4 to 0.7).", {
    within: "nonnegative",
  }),
  beta: setting(
    signals.linear(0.4, 1),
    "Prioritised: how fully weights make up for the uneven choice (0.4 rising to 1).",
    { within: "share" },
  ),
};

/** In how many parts a gradient is computed. */
export const accumulate = size(
  1,
  "Parts in which the gradient of a minibatch is computed, one after another. More needs less memory and gives the same gradient (1 to the texts in it).",
  { within: "count" },
);

/** The network that acts where whole episodes of an environment are learned from. */
export const actor = {
  hidden: size<readonly number[]>([64, 64], "Widths of the hidden layers."),
  ...activatedBody,
  continuous: choice<"normal" | "tanh" | "beta">(
    "normal",
    ["normal", "tanh", "beta"],
    "Distribution of continuous actions.",
  ),
  logStd: size(0, "First logarithm of the spread of continuous actions. Lower explores less (-2 to 0).", {
    within: "any",
  }),
};

/** What is remembered of earlier steps of an episode, and how. */
export const memory = {
  memory: choice<"none" | "gru" | "lstm" | "mingru" | "ffm" | "transformer" | "hcam">(
    "none",
    ["none", "gru", "lstm", "mingru", "ffm", "transformer", "hcam"],
    "Remembers what it saw earlier in the episode; mingru is the quickest, ffm has traces that fade by themselves, transformer looks back on a window of steps, hcam on chunks of it that matter.",
  ),
  units: size(64, "Numbers that are remembered. More remember more and cost quadratically (32 to 512).", {
    within: "count",
  }),
  memoryLayers: size(1, "Layers of memory on top of each other. More combine what they remember (1 to 4).", {
    within: "count",
  }),
  memorySteps: size(
    32,
    "Transformer: steps that a layer looks back on. More reach further and cost more (16 to 256).",
    { within: "count" },
  ),
  memoryHeads: size(
    4,
    "Transformer: heads, which divide units. More look at more steps at once, each more coarsely (1 to 8).",
    { within: "count" },
  ),
  memoryChunk: size(8, "Hcam: steps of a chunk. Longer ones are fewer, with blurred summaries (4 to 32).", {
    within: "count",
  }),
  memoryRecall: size(
    4,
    "Hcam: chunks that are looked into at a time. More find more, with more that does not matter (1 to 16).",
    { within: "count" },
  ),
  memoryJoin: choice<"gates" | "pre-norm" | "post-norm">(
    "gates",
    ["gates", "pre-norm", "post-norm"],
    "Transformer: how layers are joined, through gates as in GTrXL, or by sums that are normalised before each half or after it.",
  ),
};

/** A critic with several heads, each with a discount of its own. */
export const streams = {
  discounts: size<readonly number[]>(
    [],
    "Discounts of the critic's heads: one for each of several rewards, or several for one reward. By default one head, with gamma.",
  ),
  discountWeights: size<readonly number[]>(
    [],
    "What each of these heads counts in the advantage. By default 1 each.",
  ),
};

/** How the critic says what a state is worth. */
export const values = choice<"plain" | "symlog" | "two-hot">(
  "plain",
  ["plain", "symlog", "two-hot"],
  "How the critic says values: as numbers, as symmetric logarithms, or as shares of bins (Hafner et al., 2023). The last two take returns of any size.",
);

/** Whether the critic's scale follows the returns, and how fast. */
export const popArt = {
  popArt: size(
    false,
    "The critic's scale follows the returns, however large they are (van Hasselt et al., 2016).",
  ),
  popArtRate: setting(
    0.1,
    "PopArt: how much the last batch counts in the scale. Higher follows faster and less steadily (0.01 to 0.3).",
    { within: "share" },
  ),
};
