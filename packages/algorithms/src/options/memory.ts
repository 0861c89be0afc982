import { choice, size } from "@reins/core";

/** Recurrent and attention memory of a policy. */
export const memory = {
  memory: choice<"none" | "gru" | "lstm" | "mingru" | "ffm" | "transformer" | "hcam">(
    "none",
    ["none", "gru", "lstm", "mingru", "ffm", "transformer", "hcam"],
    "Memory over the steps of an episode: mingru is the fastest, ffm has decaying traces, transformer attends to a window of steps, hcam to the relevant chunks of it.",
  ),
  units: size(64, "Memory state size. More remembers more and costs quadratically (32 to 512).", {
    within: "count",
  }),
  memoryLayers: size(1, "Memory layers. More combines more of the past (1 to 4).", {
    within: "count",
  }),
  memorySteps: size(
    32,
    "Transformer: attention window in steps. More reaches further back and costs more (16 to 256).",
    { within: "count" },
  ),
  memoryHeads: size(
    4,
    "Transformer: attention heads, which must divide units. More attends to more steps at once, each more coarsely (1 to 8).",
    { within: "count" },
  ),
  memoryChunk: size(8, "Hcam: steps per chunk. Longer chunks are fewer, with coarser summaries (4 to 32).", {
    within: "count",
  }),
  memoryRecall: size(4, "Hcam: chunks attended to at a time. More finds more, with more noise (1 to 16).", {
    within: "count",
  }),
  memoryJoin: choice<"gates" | "pre-norm" | "post-norm">(
    "gates",
    ["gates", "pre-norm", "post-norm"],
    "Transformer: how layers are joined, by gates as in GTrXL, or by residual sums with layer norm before (pre-norm) or after (post-norm).",
  ),
};
