import { choice, type Given, setting, size } from "@reins/core";
import * as rows from "../options.ts";

/** Options shared by all methods that compare a group of samples per problem. Every choice is an independent part. */
export const options = {
  learningRate: setting(3e-3, "Learning rate. Higher learns faster until it diverges (1e-6 to 1e-2).", {
    within: "nonnegative",
  }),
  clip: setting(
    0.2,
    "Clip range of the importance ratio. Higher allows larger, less safe policy changes (0.1 to 0.3).",
    { per: "token", within: "nonnegative" },
  ),
  clipHigh: setting(
    0,
    "Upper clip range, for actions that become likelier; 0: same as clip. Higher lets rare actions grow (0.2 to 0.3).",
    { per: "token", within: "nonnegative" },
  ),
  klWeight: setting(
    0,
    "Weight of the KL penalty against the initial weights. Higher stays closer to them (0 to 0.1).",
    { per: "token", within: "nonnegative" },
  ),
  entropyWeight: setting(
    0,
    "Weight of the entropy bonus. Higher explores more and converges later (0 to 0.05).",
    { per: "token", within: "any" },
  ),
  bandWeight: setting(
    0,
    "Penalty on entropy outside a band. Higher prevents both collapse and blow-up (0 to 0.1).",
    { per: "token", within: "nonnegative" },
  ),
  bandCentre: setting(
    1,
    "Centre of the entropy band, in nats; average(of=policy/entropy, initial=1) follows the measured entropy (0.1 to 2).",
    { per: "token", within: "nonnegative" },
  ),
  bandWidth: setting(0.2, "Half-width of the entropy band, relative to its centre (0.1 to 0.5).", {
    per: "token",
    within: "nonnegative",
  }),
  clipNorm: setting(0.5, "Maximum gradient norm. Lower is steadier and slower (0.3 to 1).", {
    within: "positive",
  }),
  groups: size(4, "Problems per batch. More makes gradients less noisy (1 to 1024).", { within: "count" }),
  plays: size(8, "Group size: completions per problem. More gives a better baseline (4 to 64).", {
    within: "count",
  }),
  epochs: size(4, "Epochs over each batch. More learns more from it and moves further (1 to 10).", {
    within: "count",
  }),
  minibatches: size(1, "Minibatches per epoch. More gives more, noisier updates (1 to 16).", {
    within: "count",
  }),
  accumulate: rows.accumulate,
  baseline: choice<"mean" | "others" | "length" | "greedy" | "batch" | "none">(
    "mean",
    ["mean", "others", "length", "greedy", "batch", "none"],
    "Baseline: group mean, leave-one-out mean, group mean by length, greedy rollout (ReMax), batch mean, or none.",
  ),
  scale: choice<"std" | "batch" | "none">(
    "std",
    ["std", "batch", "none"],
    "Advantage scale: divide by the group's standard deviation, by the batch's, or not at all.",
  ),
  credit: choice<"episode" | "turn">(
    "episode",
    ["episode", "turn"],
    "Unit of credit: whole completions, or each turn by its return, compared with the same turn of the group.",
  ),
  turnDiscount: setting(
    1,
    "Discount factor per turn, for credit by turn. Lower looks less far ahead (0.5 to 1).",
    { within: "share" },
  ),
  ratio: choice<"token" | "text">(
    "token",
    ["token", "text"],
    "Whether importance ratios are per token or per sequence.",
  ),
  hold: choice<"clip" | "dual" | "weight" | "geometric" | "none">(
    "clip",
    ["clip", "dual", "weight", "geometric", "none"],
    "How importance ratios are bounded: PPO clip, dual clip, detached weight (CISPO), sequence-level geometric mean (GSPO), or not at all.",
  ),
  aggregation: choice<"token" | "text" | "sum" | "constant">(
    "token",
    ["token", "text", "sum", "constant"],
    "Loss aggregation: token mean, sequence mean, token sum, or sum over the maximum length (Dr. GRPO).",
  ),
  kl: choice<"k1" | "k2" | "k3">("k3", ["k1", "k2", "k3"], "Estimator of the KL divergence in the loss."),
  klPlace: choice<"loss" | "reward">(
    "loss",
    ["loss", "reward"],
    "Where the KL penalty applies: in the loss or in the reward.",
  ),
  klEvery: size(
    10,
    "Language tasks: updates between measurements of the KL divergence from the initial weights if the loss has no KL term; 0: never, which saves a copy of the weights. Fewer updates cost more forward passes (5 to 100).",
    { within: "whole" },
  ),
  filter: choice<"none" | "flat" | "refill">(
    "none",
    ["none", "flat", "refill"],
    "Groups with equal rewards: kept, dropped, or replaced by sampling more.",
  ),
  overlong: choice<"keep" | "drop">(
    "keep",
    ["keep", "drop"],
    "How truncated completions (at the length limit) are treated.",
  ),
  overlongMargin: size(
    0,
    "Soft length limit: steps before the limit over which a penalty grows; 0: none (a tenth of the limit).",
    {
      within: "whole",
    },
  ),
  lengthWeight: setting(
    0,
    "Length penalty of a completion of maximum length. Higher gives shorter answers (0 to 0.5).",
    {
      per: "task",
      within: "nonnegative",
    },
  ),
  lengthBy: choice<"all" | "solved" | "rate">(
    "all",
    ["all", "solved", "rate"],
    "Which completions the length penalty applies to: all, correct ones, or scaled by the problem's success rate.",
  ),
  formWeight: setting(
    0,
    "Reward for the requested format, whether the answer is right or wrong (0 to 0.2).",
    {
      per: "task",
      within: "nonnegative",
    },
  ),
  replay: size(
    0,
    "Replay of successes: problems whose last success is stored and joins a group without any; 0: none (256 to 4096).",
    { within: "whole" },
  ),
  correction: setting(
    0,
    "Truncated importance sampling: maximum weight of a step for policy staleness; 0: off (2 to 10).",
    { per: "token", within: "nonnegative" },
  ),
  teachers: size(0, "Teacher answers added to each group (0 to 2).", { within: "whole" }),
  hint: setting(
    0,
    "Fraction of the correct answer given as a hint; let it fall, as linear(0.5, 0) does (0 to 0.9).",
    { per: "task", within: "share" },
  ),
  curriculum: choice<"given" | "learnable">(
    "given",
    ["given", "learnable"],
    "Curriculum: the given difficulty, or the levels with the most to learn.",
  ),
  allocation: choice<"even" | "uncertain">(
    "even",
    ["even", "uncertain"],
    "Group size per problem: equal, or larger where success is uncertain.",
  ),
  pool: size(0, "Number of distinct training problems; 0: unlimited.", { within: "whole" }),
  ...rows.actor,
};

/** The live settings. */
export type Settings = Given<typeof options>;
