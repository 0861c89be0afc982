import { grpo } from "./grpo.ts";

/** REINFORCE++: no groups; advantages are normalised over the batch. */
export const reinforcePlusPlus = grpo.with("reinforce++", {
  summary: "Clipped REINFORCE with advantages normalised over the whole batch: needs no groups.",
  paper:
    "REINFORCE++: Stabilizing Critic-Free Policy Optimization with Global Advantage Normalization (Hu, 2025)",
  options: { baseline: "none", scale: "batch", groupSize: 1, groups: 32, klPlace: "reward" },
});
