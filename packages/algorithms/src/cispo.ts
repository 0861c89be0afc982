import { grpo } from "./grpo.ts";

/** CISPO: ratios are held as weights, so that no token loses its gradient. */
export const cispo = grpo.with("cispo", {
  summary: "GRPO whose held ratios are weights: rare tokens keep their gradients.",
  paper: "MiniMax-M1: Scaling Test-Time Compute Efficiently with Lightning Attention (MiniMax, 2025)",
  options: { hold: "weight", clip: 1, clipHigh: 0.28 },
});
