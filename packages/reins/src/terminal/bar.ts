import type { Ink } from "./ink.ts";

const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A share from 0 to 1 as a bar of `width` characters, to an eighth of one. */
export function bar(share: number, width: number, ink: Ink): string {
  const filled = Math.min(1, Math.max(0, share)) * width;
  const whole = Math.floor(filled);
  const rest = eighths[Math.floor((filled - whole) * 8)];
  return ink.color(0, "█".repeat(whole) + rest) + ink.dim("░".repeat(width - whole - (rest ? 1 : 0)));
}
