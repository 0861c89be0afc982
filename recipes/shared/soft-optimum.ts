import { actionValue, policyIteration, type TabularMdp } from "@reins/envs";
import { real } from "@reins/tensor";

/** Action values, one state after the other, given the values of states. */
export const actionValues = (mdp: TabularMdp, values: Float64Array, gamma: number): Float64Array =>
  Float64Array.from({ length: mdp.states * mdp.actions }, (_, i) =>
    actionValue(mdp, values, Math.floor(i / mdp.actions), i % mdp.actions, gamma),
  );

/** A stochastic policy in which the weight of an action depends on how much worse than the best it is. */
export function weightedByGap(
  { states, actions }: TabularMdp,
  q: Float64Array,
  weight: (gap: number) => number,
): Float64Array {
  const policy = new Float64Array(q.length);
  for (let s = 0; s < states; s++) {
    const own = q.subarray(s * actions, (s + 1) * actions);
    const most = own.reduce((x, y) => Math.max(x, y));
    const weights = own.map((value) => weight(most - value));
    const sum = weights.reduce((x, y) => x + y);
    policy.set(
      weights.map((w) => w / sum),
      s * actions,
    );
  }
  return policy;
}

/** The optimum with entropy regularisation: π(a | s) in proportion to exp(Q / α), where V is α log Σ exp(Q / α). */
export function softOptimum(
  mdp: TabularMdp,
  { alpha, gamma }: { alpha: number; gamma: number },
): Float64Array {
  const values = policyIteration(mdp, { gamma }).values.slice();
  for (let change = 1; change > 1e-10; ) {
    const q = actionValues(mdp, values, gamma);
    change = 0;
    for (let s = 0; s < mdp.states; s++) {
      const own = q.subarray(s * mdp.actions, (s + 1) * mdp.actions);
      const most = own.reduce((x, y) => Math.max(x, y));
      const value = most + alpha * real.log(own.reduce((sum, x) => sum + real.exp((x - most) / alpha), 0));
      change = Math.max(change, Math.abs(value - values[s]));
      values[s] = value;
    }
  }
  return weightedByGap(mdp, actionValues(mdp, values, gamma), (gap) => real.exp(-gap / alpha));
}

/** Total variation distance of two policies, mean over states. */
export const policyDistance = (one: Float64Array, other: Float64Array, states: number): number =>
  one.reduce((sum, p, i) => sum + Math.abs(p - other[i]), 0) / (2 * states);
