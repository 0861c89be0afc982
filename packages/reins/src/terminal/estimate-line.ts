import type { EnvSpec } from "@reins/core";
import { estimate, returnBoundsOf } from "@reins/core/evaluations";
import { counted, estimateText, short } from "./format.ts";

/** Summarises returns of episodes in one line. */
export function estimateLine(returns: readonly number[], spec: EnvSpec): string {
  const all = returns.length > 1 && returns.length <= 10 ? `: ${returns.map(short).join(", ")}` : "";
  return `return ${estimateText(estimate(returns, returnBoundsOf(spec)))} over ${counted(returns.length, "episode")}${all}`;
}
