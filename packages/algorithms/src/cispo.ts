import { grpo } from "./grpo.ts";

/** CISPO: clipped ratios are detached weights, so no token loses its gradient. */
export const cispo = grpo.with("cispo", {
  summary: "GRPO with clipped importance ratios as detached weights: rare tokens keep their gradients.",
  paper: "MiniMax-M1: Scaling Test-Time Compute Efficiently with Lightning Attention (MiniMax, 2025)",
  options: { ratioBound: "weight", clip: 1, clipHigh: 0.28 },
});
