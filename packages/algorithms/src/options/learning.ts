import { setting, size } from "@reins/core";

export const discount = (value = 0.99) =>
  setting(value, "Discount factor. Higher looks further ahead, with more variance (0.9 to 0.999).", {
    within: "share",
  });

/** Gradient accumulation. */
export const accumulate = size(
  1,
  "Gradient accumulation: parts in which the gradient of a minibatch is computed, one after another. More needs less memory and gives the same gradient (1 to the minibatch size).",
  { within: "count" },
);

export const klEvery = size(
  10,
  "On language tasks without a KL penalty: updates between measurements of the KL divergence from the reference (policy/reference-kl); 0: never, which saves the memory of a copy of the weights. Lower costs more forward passes (5 to 100).",
  { within: "whole" },
);
