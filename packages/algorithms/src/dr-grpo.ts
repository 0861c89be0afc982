import { grpo } from "./grpo.ts";

/** Dr. GRPO: neither the group's standard deviation nor the completion length scales the loss. */
export const drGrpo = grpo.with("dr-grpo", {
  learnsFrom: "episodes",
  summary:
    "GRPO without the biases of its normalisation: no division by the standard deviation, a constant length.",
  paper: "Understanding R1-Zero-Like Training: A Critical Perspective (Liu et al., 2025)",
  options: { scale: "none", aggregation: "constant" },
});
