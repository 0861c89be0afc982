import { choice, type ResolvedOptions, setting, size } from "@reins/core";
import * as rows from "../options.ts";
import { problemOptions } from "./problem-options.ts";

/**
 * Options of all methods that compare several completions of the same problem. Each choice is a part of its own.
 *
 * @experimental
 */
export const options = {
  learningRate: setting(3e-3, "Learning rate. Higher learns faster until it diverges (1e-6 to 1e-2).", {
    within: "nonnegative",
  }),
  clip: setting(
    0.2,
    "Clip range of the importance ratio. Higher moves the policy further in one batch, and less safely (0.1 to 0.3).",
    { per: "token", within: "nonnegative" },
  ),
  clipHigh: setting(
    0,
    "Upper clip range, for actions that become more likely; 0: the same as clip. Higher lets rare tokens grow (0.2 to 0.3).",
    { per: "token", within: "nonnegative" },
  ),
  klWeight: setting(
    0,
    "Weight of the KL penalty against the reference, the weights that training began with. Higher stays closer to it (0 to 0.1).",
    { per: "token", within: "nonnegative" },
  ),
  entropyWeight: setting(0, "Entropy bonus. Higher explores more and settles later (0 to 0.05).", {
    per: "token",
    within: "any",
  }),
  bandWeight: setting(
    0,
    "Weight of the penalty on entropies outside a band. Higher keeps the entropy from collapsing and from growing (0 to 0.1).",
    { per: "token", within: "nonnegative" },
  ),
  bandCentre: setting(
    1,
    "Centre of the entropy band, in nats; average(of=policy/entropy, initial=1) follows the entropy measured so far (0.1 to 2).",
    { per: "token", within: "nonnegative" },
  ),
  bandWidth: setting(
    0.2,
    "Half the width of the entropy band, as a share of its centre. Higher allows more change (0.1 to 0.5).",
    {
      per: "token",
      within: "nonnegative",
    },
  ),
  clipNorm: setting(0.5, "Maximum gradient norm. Lower is steadier and slower (0.3 to 1).", {
    within: "positive",
  }),
  groups: size(4, "Problems in a batch. More makes gradients less noisy (1 to 1024).", { within: "count" }),
  groupSize: size(
    8,
    "Group size: completions (episodes) of each problem. More gives less noisy advantages (4 to 64).",
    { within: "count" },
  ),
  epochs: size(
    4,
    "Passes over each batch. More learns more from it and moves the policy further (1 to 10).",
    {
      within: "count",
    },
  ),
  minibatches: size(1, "Minibatches of each pass. More gives more, noisier updates (1 to 16).", {
    within: "count",
  }),
  accumulate: rows.accumulate,
  baseline: choice<"mean" | "others" | "length" | "greedy" | "batch" | "none">(
    "mean",
    ["mean", "others", "length", "greedy", "batch", "none"],
    "Baseline: group mean, leave-one-out mean, length-weighted group mean (OPO), greedy completion (ReMax), batch mean, or none.",
  ),
  scale: choice<"std" | "batch" | "none">(
    "std",
    ["std", "batch", "none"],
    "Divides advantages by the standard deviation of the group, by that of the batch, or by nothing.",
  ),
  credit: choice<"episode" | "turn">(
    "episode",
    ["episode", "turn"],
    "Credit assignment: whole episodes, or each turn by its reward-to-go, compared with the same turn of the group.",
  ),
  turnDiscount: setting(
    1,
    "Discount factor per turn, with credit turn. Lower looks less far ahead (0.5 to 1).",
    { within: "share" },
  ),
  ratio: choice<"token" | "text">(
    "token",
    ["token", "text"],
    "Importance ratios of single tokens, or of whole sequences (GSPO).",
  ),
  ratioBound: choice<"clip" | "dual" | "weight" | "geometric" | "none">(
    "clip",
    ["clip", "dual", "weight", "geometric", "none"],
    "How importance ratios are bounded: PPO clip, dual clip, detached weight (CISPO), geometric mean of a sequence (GMPO), or not at all.",
  ),
  aggregation: choice<"token" | "text" | "sum" | "constant">(
    "token",
    ["token", "text", "sum", "constant"],
    "Loss aggregation: token mean, sequence mean, token sum, or token sum over the maximum length (Dr. GRPO).",
  ),
  kl: choice<"k1" | "k2" | "k3">("k3", ["k1", "k2", "k3"], "Estimator of the KL penalty."),
  klPlace: choice<"loss" | "reward">(
    "loss",
    ["loss", "reward"],
    "Where the KL penalty enters: the loss or the reward.",
  ),
  klEvery: rows.klEvery,
  ...problemOptions,
  ...rows.actor,
};

/** The live settings. */
export type Settings = ResolvedOptions<typeof options>;
