import { fail } from "@reins/core";
import { evaluatePolicy } from "./evaluate.ts";
import type { TabularMdp } from "./mdp.ts";
import { bestAction, greedy, type Solution } from "./values.ts";

/** Options of a solver. */
export interface SolveOptions {
  /** Discount factor, 0 to 1. */
  readonly gamma: number;
  /** Convergence threshold of value iteration. */
  readonly tolerance?: number;
  /** Maximum number of iterations. */
  readonly maxRounds?: number;
}

/** Optimal values by value iteration (Bellman, 1957). */
export function valueIteration(mdp: TabularMdp, options: SolveOptions): Solution {
  const { gamma, tolerance = 1e-12, maxRounds = 1_000_000 } = options;
  const values = new Float64Array(mdp.states);
  for (let rounds = 1; rounds <= maxRounds; rounds++) {
    let change = 0;
    for (let s = 0; s < mdp.states; s++) {
      const { value } = bestAction(mdp, values, s, gamma);
      change = Math.max(change, Math.abs(value - values[s]));
      values[s] = value;
    }
    if (change <= tolerance) return { values, policy: greedy(mdp, values, gamma), rounds };
  }
  return fail(
    mdp.id,
    `values still change after ${maxRounds} rounds. With gamma 1 they may be unbounded: use gamma below 1, or backwardInduction.`,
  );
}

/** Optimal values by policy iteration (Howard, 1960). */
export function policyIteration(mdp: TabularMdp, { gamma, maxRounds = 1000 }: SolveOptions): Solution {
  let policy: Int32Array = new Int32Array(mdp.states);
  // With gamma 1 the first policy must terminate; the greedy policy of a long horizon does.
  if (gamma === 1) policy = backwardInduction(mdp, { gamma, horizon: 2 * mdp.states }).policies[0];
  for (let rounds = 1; rounds <= maxRounds; rounds++) {
    const values = evaluatePolicy(mdp, policy, { gamma });
    const better = greedy(mdp, values, gamma);
    if (better.every((a, s) => a === policy[s])) return { values, policy, rounds };
    policy = better;
  }
  return fail(mdp.id, `the policy still changes after ${maxRounds} rounds.`);
}

/** Values and optimal actions for a fixed horizon; both depend on the step. */
export interface FiniteSolution {
  /** `values[t][s]`: value of state s after t steps. One entry more than steps: the last is all 0. */
  readonly values: readonly Float64Array[];
  /** `policies[t][s]`: the optimal action there. */
  readonly policies: readonly Int32Array[];
}

/** Optimal values of episodes of `horizon` steps, by backward induction. */
export function backwardInduction(
  mdp: TabularMdp,
  { horizon, gamma = 1 }: { horizon: number; gamma?: number },
): FiniteSolution {
  const values: Float64Array[] = [new Float64Array(mdp.states)];
  const policies: Int32Array[] = [];
  for (let left = 1; left <= horizon; left++) {
    const best = Array.from({ length: mdp.states }, (_, s) => bestAction(mdp, values[0], s, gamma));
    values.unshift(Float64Array.from(best, (b) => b.value));
    policies.unshift(Int32Array.from(best, (b) => b.action));
  }
  return { values, policies };
}
