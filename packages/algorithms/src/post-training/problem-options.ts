import { choice, setting, size } from "@reins/core";

/** Options of the problems that are sampled, of their rewards, and of the completions that are trained on. */
export const problemOptions = {
  filter: choice<"none" | "flat" | "refill">(
    "none",
    ["none", "flat", "refill"],
    "Groups with equal rewards: kept, dropped, or replaced by sampling more problems (dynamic sampling).",
  ),
  overlong: choice<"keep" | "drop">(
    "keep",
    ["keep", "drop"],
    "Truncated completions: kept, or dropped from the loss and from their group.",
  ),
  overlongMargin: size(
    0,
    "Tokens before the length limit over which a penalty rises linearly (soft overlong punishment); 0: none. Usually a tenth of the limit.",
    {
      within: "whole",
    },
  ),
  lengthWeight: setting(
    0,
    "Length penalty of a completion of maximum length. Higher gives shorter completions (0 to 0.5).",
    {
      per: "task",
      within: "nonnegative",
    },
  ),
  lengthBy: choice<"all" | "solved" | "rate">(
    "all",
    ["all", "solved", "rate"],
    "Completions with a length penalty: all, correct ones, or all in proportion to the solve rate of the problem.",
  ),
  formatWeight: setting(
    0,
    "Format reward: added where the completion has the required format, right or wrong. Higher learns the format sooner (0 to 0.2).",
    {
      per: "task",
      within: "nonnegative",
    },
  ),
  replay: size(
    0,
    "Replay buffer size, in problems: the last success at a problem joins its next group without one; 0: none (256 to 4096).",
    { within: "whole" },
  ),
  correction: setting(
    0,
    "Truncated importance sampling: maximum weight that corrects for the behaviour policy; 0: off. Higher is less biased and noisier (2 to 10).",
    { per: "token", within: "nonnegative" },
  ),
  teachers: size(0, "Demonstrations that join each group (0 to 2).", { within: "whole" }),
  hint: setting(
    0,
    "Share of the correct answer that is given as a prefix; lower it during training, such as linear(0.5, 0) (0 to 0.9).",
    { per: "task", within: "share" },
  ),
  curriculum: choice<"given" | "learnable">(
    "given",
    ["given", "learnable"],
    "Levels of the problems: the level given, or those at which rewards vary most.",
  ),
  allocation: choice<"even" | "uncertain">(
    "even",
    ["even", "uncertain"],
    "Group size: the same for all problems, or larger where success is uncertain.",
  ),
  pool: size(0, "Number of different training problems; 0: unlimited.", { within: "whole" }),
};
