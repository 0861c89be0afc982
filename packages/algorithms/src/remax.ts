import { grpo } from "./grpo.ts";

/** ReMax: REINFORCE with the greedy rollout as baseline. */
export const remax = grpo.with("remax", {
  learnsFrom: "episodes",
  summary: "REINFORCE with a greedy rollout as baseline.",
  paper:
    "ReMax: A Simple, Effective, and Efficient Reinforcement Learning Method for Aligning Large Language Models (Li et al., 2024)",
  options: { baseline: "greedy", scale: "none", ratioBound: "none", epochs: 1, groupSize: 1, groups: 32 },
});
