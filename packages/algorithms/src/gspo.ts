import { grpo } from "./grpo.ts";

/** GSPO: one importance ratio per sequence. */
export const gspo = grpo.with("gspo", {
  learnsFrom: "episodes",
  summary: "GRPO with one importance ratio per sequence: more stable for long completions.",
  paper: "Group Sequence Policy Optimization (Zheng et al., 2025)",
  options: { ratio: "text", clip: 3e-4, clipHigh: 4e-4, aggregation: "text" },
});
