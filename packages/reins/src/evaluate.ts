import { type CurrentPolicy, type EvaluationResult, fail, type Run } from "@reins/core";
import { describeValue } from "@reins/core/errors";
import { type EvaluateOptions, evaluate as evaluateIn } from "@reins/core/evaluations";
import type { Agent } from "./agents/agent.ts";
import type { EnvLike } from "./places/source.ts";
import { sourceOf } from "./places/source-of.ts";

/**
 * Evaluates an agent over exactly `episodes` new episodes (default 100), with a confidence interval; in the environment of its
 * run unless another is given.
 */
export function evaluate(
  agent: Agent | Run | CurrentPolicy,
  env?: EnvLike,
  options?: EvaluateOptions,
): EvaluationResult {
  if (typeof agent !== "object" || agent === null)
    fail("evaluate", `the agent is ${describeValue(agent)}. Pass the result of train() or load(), or a run.`);
  return evaluateIn(policyOf(agent), env === undefined ? undefined : sourceOf(env), options);
}

/** The run of an agent, which knows its environment; else the policy alone. */
function policyOf(agent: Agent | Run | CurrentPolicy): Run | CurrentPolicy {
  if ("run" in agent) return agent.run as Run;
  return "current" in agent ? agent.current : agent;
}
