import { type ResolvedOptions, size } from "@reins/core";
import { learning } from "../options.ts";

const { batch: _, ...shared } = learning;

/** Options of every method that learns from comparisons of the policy's own completions. */
export const onlineLearning = {
  ...shared,
  groups: size(16, "Prompts per update. More makes gradients less noisy (8 to 256).", { within: "count" }),
  groupSize: size(
    2,
    "Group size: completions of each prompt; the best and the worst form a pair. More gives clearer pairs (2 to 16).",
    { within: "count" },
  ),
  epochs: size(1, "Passes over each batch. More learns more from it and moves the policy further (1 to 4).", {
    within: "count",
  }),
};

/** Live settings of {@link onlineLearning}. */
export type OnlineSettings = ResolvedOptions<typeof onlineLearning>;
