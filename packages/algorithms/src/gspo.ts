import { grpo } from "./grpo.ts";

/** GSPO: one ratio for a whole text. */
export const gspo = grpo.with("gspo", {
  learnsFrom: "episodes",
  summary: "GRPO with one ratio for a whole text: steadier where texts are long.",
  paper: "Group Sequence Policy Optimization (Zheng et al., 2025)",
  options: { ratio: "text", clip: 3e-4, clipHigh: 4e-4, aggregation: "text" },
});
