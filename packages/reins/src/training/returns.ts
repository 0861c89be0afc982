import type { EvaluationResult, Metrics } from "@reins/core";
import type { Returns } from "./result.ts";

/** The return of an evaluated agent. */
export function evaluatedReturns(found: EvaluationResult): Returns {
  const { mean, std, count, interval, success, successInterval, unfinished, distinct, likelihood, pairs } =
    found;
  const succeeded = success === undefined ? {} : { success, successInterval };
  return {
    ...{ mean, std, episodes: count, interval, ...succeeded },
    ...(unfinished ? { unfinished } : {}),
    ...(distinct ? { distinct } : {}),
    ...(likelihood ? { likelihood } : {}),
    ...(pairs ? { pairs } : {}),
  };
}

/** The return of an agent that was not evaluated. */
export const unmeasured: Returns = { mean: Number.NaN, std: Number.NaN, episodes: 0 };

/** The return of the last training episodes. */
export function trainingReturns(metrics: Metrics): Returns {
  const { episodes = 0 } = metrics;
  return {
    mean: metrics["return/mean"] ?? Number.NaN,
    std: metrics["return/std"] ?? Number.NaN,
    episodes: Math.min(100, episodes),
  };
}
