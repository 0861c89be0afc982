import { estimate } from "@reins/core";
import { counted, short, spread } from "./words.ts";

/** Returns of a few episodes in one line. */
export function estimateLine(returns: readonly number[]): string {
  const { mean, std } = estimate(returns);
  const all = returns.length <= 10 ? `: ${returns.map(short).join(", ")}` : "";
  return `return ${spread(mean, std)} over ${counted(returns.length, "episode")}${all}`;
}
