import { choice, type ResolvedOptions, setting, size } from "@reins/core";
import { accumulate, textClipNorm } from "../options.ts";

/** Options of every method that learns from compared completions. */
export const learning = {
  learningRate: setting(
    1e-4,
    "Learning rate. Higher learns faster until completions degenerate (1e-7 to 1e-3).",
    {
      within: "nonnegative",
    },
  ),
  clipNorm: textClipNorm,
  batch: size(
    32,
    "Prompts per update, each with all of its completions. More makes gradients less noisy (8 to 256).",
    {
      within: "count",
    },
  ),
  accumulate,
  weightDecay: size(0, "Weight decay. Higher stays closer to zero weights (0 to 0.1).", {
    within: "nonnegative",
  }),
};

/** Live settings of {@link learning}. */
export type LearningSettings = ResolvedOptions<typeof learning> & { readonly precompute?: boolean };

/** Weight of the implicit reward, with the default of a method. */
export const beta = (value: number, range = "0.01 to 1") =>
  setting(value, `Factor of the implicit reward. Higher stays closer to the reference policy (${range}).`, {
    within: "positive",
  });

/** Label smoothing. */
export const smoothing = setting(
  0,
  "Label smoothing: assumed share of pairs whose labels are swapped. Higher trusts each pair less (0 to 0.3).",
  { within: "share" },
);

/** Loss of the margin. */
export const marginLoss = choice(
  "logistic",
  ["logistic", "hinge", "squared"],
  "Loss of the margin: logistic as in DPO, hinge as in SLiC, squared as in IPO.",
);

/** Precomputed log-probabilities of the reference policy. */
export const precompute = size(
  false,
  "Computes the reference log-probabilities of each completion once instead of at each update. Faster over several epochs of a dataset.",
);
