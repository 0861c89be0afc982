import type { TabularMdp } from "./mdp.ts";

/** What acting on from each state is worth, and the best action there. */
export interface Solution {
  /** Value of each state. */
  readonly values: Float64Array;
  /** The best action in each state; the first of equals. */
  readonly policy: Int32Array;
  /** Rounds it took. */
  readonly rounds: number;
}

/** What an action in a state is worth if `values` are right. */
export function actionValue(
  { transition }: TabularMdp,
  values: ArrayLike<number>,
  state: number,
  action: number,
  gamma: number,
): number {
  let sum = 0;
  for (const o of transition[state][action])
    sum += o.probability * (o.reward + (o.terminated ? 0 : gamma * values[o.state]));
  return sum;
}

/** The action of the highest value in a state, and that value. */
export function bestAction(
  mdp: TabularMdp,
  values: ArrayLike<number>,
  state: number,
  gamma: number,
): { action: number; value: number } {
  let action = 0;
  let value = Number.NEGATIVE_INFINITY;
  for (let a = 0; a < mdp.actions; a++) {
    const v = actionValue(mdp, values, state, a, gamma);
    // Equal but for rounding counts as equal, so that two ways to the same values give the same policy.
    if (v > value + 1e-12 * Math.max(1, Math.abs(v))) [action, value] = [a, v];
  }
  return { action, value };
}

/** The best action in every state if `values` are right. */
export function greedy(mdp: TabularMdp, values: ArrayLike<number>, gamma: number): Int32Array {
  return Int32Array.from({ length: mdp.states }, (_, s) => bestAction(mdp, values, s, gamma).action);
}

/** What an episode is worth before it begins. */
export function startValue({ start }: TabularMdp, values: ArrayLike<number>): number {
  return start.reduce((sum, p, s) => sum + p * values[s], 0);
}
