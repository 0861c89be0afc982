import {
  type CurrentPolicy,
  type Evaluated,
  type EvaluateOptions,
  evaluate as evaluateIn,
  type Run,
} from "@reins/core";
import { type EnvLike, sourceOf } from "./places/source.ts";

/**
 * The return of an agent over exactly `episodes` fresh episodes (100 by default), with its uncertainty; the environment is that of the
 * run unless another is given.
 */
export function evaluate(agent: Run | CurrentPolicy, env?: EnvLike, options?: EvaluateOptions): Evaluated {
  return evaluateIn(agent, env === undefined ? undefined : sourceOf(env), options);
}
