import type { EvaluationResult } from "@reins/core";

/**
 * The mean return as results of recipes record it: each return is divided before it is added. It may differ from `EvaluationResult.mean` in the
 * last digits, and recorded results are compared bit for bit.
 */
export function recordedMean({ returns }: Pick<EvaluationResult, "returns">): number {
  let mean = 0;
  for (const value of returns) mean += value / returns.length;
  return mean;
}
