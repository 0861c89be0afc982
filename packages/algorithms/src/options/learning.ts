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

/** Learning rate of methods that imitate texts. */
export const imitationRate = setting(
  1e-3,
  "Learning rate. Higher learns faster until it diverges (1e-5 to 3e-3).",
  { within: "nonnegative" },
);

/** Maximum gradient norm of methods that imitate or compare texts. */
export const textClipNorm = setting(1, "Maximum gradient norm. Lower is steadier and slower (0.5 to 2).", {
  within: "positive",
});

export const validateEvery = size(
  20,
  "Updates between validations. Lower detects overfitting earlier and costs more (10 to 200).",
  { within: "count" },
);

export const patience = size(
  0,
  "Validations in a row without a lower loss after which training ends with the weights of the lowest one; 0: never. More tolerates noise and costs more (2 to 10).",
  { within: "whole" },
);
