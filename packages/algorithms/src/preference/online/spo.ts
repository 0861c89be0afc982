import * as judges from "@reins/core/judges";
import { grpo } from "../../grpo.ts";
import { requireStage } from "../parts.ts";

/** Self-play preference optimisation: reinforcement learning of the win rate against the policy's own other completions. */
export const spo = grpo.with("spo", {
  learnsFrom: "episodes",
  stability: "experimental",
  summary:
    "Reinforces completions by their win rate against the policy's other completions: needs preferences, no reward model.",
  paper: "A Minimaximalist Approach to Reinforcement Learning from Human Feedback (Swamy et al., 2024)",
  options: { baseline: "mean", scale: "none" },
  parts: ({ judge }, _, context) => {
    const { prefer, judge: own } = requireStage("spo", context);
    return { judge: judges.winRate(judge ?? own, prefer) };
  },
});
