import { estimate } from "@reins/core/evaluations";
import { counted, estimateText, short } from "./format.ts";

/** Summarises returns of episodes in one line. */
export function estimateLine(returns: readonly number[]): string {
  const all = returns.length <= 10 ? `: ${returns.map(short).join(", ")}` : "";
  return `return ${estimateText(estimate(returns))} over ${counted(returns.length, "episode")}${all}`;
}
