import {
  type CurrentPolicy,
  type Evaluated,
  type EvaluateOptions,
  evaluate as evaluateIn,
  fail,
  type Run,
  said,
} from "@reins/core";
import type { Agent } from "./agents/agent.ts";
import type { EnvLike } from "./places/source.ts";
import { sourceOf } from "./places/source-of.ts";

/**
 * The return of an agent over exactly `episodes` fresh episodes (100 by default), with its uncertainty; the environment is that of the
 * run unless another is given.
 */
export function evaluate(
  agent: Agent | Run | CurrentPolicy,
  env?: EnvLike,
  options?: EvaluateOptions,
): Evaluated {
  if (typeof agent !== "object" || agent === null)
    fail("evaluate", `the agent is ${said(agent)}. Give what train() or load() gave, or a run.`);
  return evaluateIn(policyOf(agent), env === undefined ? undefined : sourceOf(env), options);
}

/** A run where there is one, which knows where it was trained; else the policy alone. */
function policyOf(agent: Agent | Run | CurrentPolicy): Run | CurrentPolicy {
  if ("run" in agent) return agent.run as Run;
  return "current" in agent ? agent.current : agent;
}
