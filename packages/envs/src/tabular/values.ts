import type { TabularMdp } from "./mdp.ts";

/** State values, and the greedy actions. */
export interface Solution {
  /** Value of each state. */
  readonly values: Float64Array;
  /** The greedy action in each state; the first of equals. */
  readonly policy: Int32Array;
  /** Number of iterations. */
  readonly rounds: number;
}

/** Q-value of an action in a state, given state values. */
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

/** The greedy action in a state, and its value. */
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
    // Values that differ by rounding count as equal, so that two methods give the same policy.
    if (v > value + 1e-12 * Math.max(1, Math.abs(v))) [action, value] = [a, v];
  }
  return { action, value };
}

/** The greedy action in every state, given state values. */
export function greedy(mdp: TabularMdp, values: ArrayLike<number>, gamma: number): Int32Array {
  return Int32Array.from({ length: mdp.states }, (_, s) => bestAction(mdp, values, s, gamma).action);
}

/** Expected return over the initial state distribution. */
export function startValue({ start }: TabularMdp, values: ArrayLike<number>): number {
  return start.reduce((sum, p, s) => sum + p * values[s], 0);
}
