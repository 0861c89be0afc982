import { grpo } from "./grpo.ts";

/** RLOO: REINFORCE with the mean of the other samples as baseline. */
export const rloo = grpo.with("rloo", {
  learnsFrom: "episodes",
  summary: "REINFORCE with a leave-one-out baseline, the mean of the group's other samples: unbiased.",
  paper:
    "Back to Basics: Revisiting REINFORCE Style Optimization for Learning from Human Feedback in LLMs (Ahmadian et al., 2024)",
  options: { baseline: "others", scale: "none", ratioBound: "none", epochs: 1, aggregation: "sum" },
});
