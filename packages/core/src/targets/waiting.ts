import { not, or, type Tensor, where } from "@reins/tensor";
import type { Fragment } from "../target.ts";
import { backwards, following, rewardOf } from "./backwards.ts";

/** A fragment in steps of its agents: from an action of an agent to its next one. */
export interface AgentSteps {
  /** Rewards up to the agent's next action, discounted. */
  readonly reward: Tensor;
  /** Value of the state that each step led to, 0 after a termination. */
  readonly next: Tensor;
  /** From results of each step (such as `next`) to results of the last step before the agent acts again, discounted. */
  later(result: Tensor): Tensor;
  /** Numbers of actions, such as errors: 0 while the agent waits. */
  acted(x: Tensor): Tensor;
  /** Factor of later errors: `decay` per action, the discount factor while the agent waits, 0 at the end of an episode. */
  factor(decay: Tensor | number): Tensor;
}

/**
 * The steps of agents that wait in between (column `alive`). Critics are trained on states in which agents act, so values of states in
 * which they wait must not enter targets: the observation of a waiting agent is often still the one that it acted on.
 */
export function agentSteps(s: Fragment, gamma: Tensor | number): AgentSteps {
  const { alive, done } = s;
  const reward = rewardOf(s);
  const next = where(s.terminated, 0, s.nextValue);
  if (!alive)
    return {
      reward,
      next,
      later: (result) => result,
      acted: (x) => x,
      factor: (decay) => where(done, 0, decay),
    };
  // Whether an agent acts after the last step is unknown, so that step counts as its last one.
  const settled = or(done, following(alive, or(alive, not(alive))));
  const waits = where(settled, 0, gamma);
  return {
    reward: backwards(reward, waits),
    next,
    later: (result) => backwards(where(settled, result, 0), waits),
    acted: (x) => where(alive, x, 0),
    factor: (decay) => where(done, 0, where(alive, decay, gamma)),
  };
}
