import { choice, code, setting, size } from "@reins/core";
import type { NetworkMaker } from "@reins/core/policies";
import type * as nn from "@reins/nn";

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
    { within: "share", needs: "popArt" },
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
