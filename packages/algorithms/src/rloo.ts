import { grpo } from "./grpo.ts";

/** RLOO: REINFORCE, each play compared with the mean of the others. */
export const rloo = grpo.with("rloo", {
  learnsFrom: "episodes",
  summary: "REINFORCE that compares each play with the mean of its group's others: unbiased.",
  paper:
    "Back to Basics: Revisiting REINFORCE Style Optimization for Learning from Human Feedback in LLMs (Ahmadian et al., 2024)",
  options: { baseline: "others", scale: "none", hold: "none", epochs: 1, aggregation: "sum" },
});
