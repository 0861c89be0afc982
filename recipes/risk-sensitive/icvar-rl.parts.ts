import type { TabularMdp } from "@reins/envs";

/** Conditional value at risk: the mean of the worst `level` share of a distribution. */
export function cvar(probabilities: ArrayLike<number>, values: ArrayLike<number>, level: number): number {
  const order = Array.from(values, (_, i) => i).sort((a, b) => values[a] - values[b]);
  let [left, sum] = [level, 0];
  for (const i of order) {
    const taken = Math.min(left, probabilities[i]);
    sum += taken * values[i];
    left -= taken;
    if (left <= 0) break;
  }
  // Rounding may leave a remainder, which belongs to the best outcome.
  return (sum + Math.max(0, left) * values[order[order.length - 1]]) / level;
}

/** Q(s, a) of a step, from the values of the next step. */
export type Backup = (state: number, action: number, next: Float64Array, left: number) => number;

/** Greedy actions of each step and the values of the first, by backward induction; the first of equal actions. */
export function planEpisode(
  { states, actions }: TabularMdp,
  horizon: number,
  backup: Backup,
): { readonly policies: readonly Int32Array[]; readonly values: Float64Array } {
  const policies: Int32Array[] = [];
  let values = new Float64Array(states);
  for (let left = 1; left <= horizon; left++) {
    const [policy, better] = [new Int32Array(states), new Float64Array(states)];
    for (let s = 0; s < states; s++) {
      better[s] = Number.NEGATIVE_INFINITY;
      for (let a = 0; a < actions; a++) {
        const q = backup(s, a, values, left);
        if (q > better[s]) [better[s], policy[s]] = [q, a];
      }
    }
    policies.unshift(policy);
    values = better;
  }
  return { policies, values };
}

/** The transition probabilities of an MDP as `rows[state][action][next]`, and its rewards. */
export function tablesOf({ transition, states }: TabularMdp) {
  const rewards = transition.map((row) => row.map(([outcome]) => outcome.reward));
  const rows = transition.map((row) =>
    row.map((outcomes) => {
      const p = new Float64Array(states);
      for (const o of outcomes) p[o.state] += o.probability;
      return p;
    }),
  );
  return { rows, rewards };
}

/**
 * The exact iterated CVaR of a policy: CVaR of the next values at every step. With probability `epsilon` its action is
 * random, over which the mean is taken.
 */
export function iteratedCvar(
  { rows, rewards }: ReturnType<typeof tablesOf>,
  policies: readonly Int32Array[],
  { level, epsilon = 0 }: { level: number; epsilon?: number },
): Float64Array {
  let values = new Float64Array(rows.length);
  for (const policy of [...policies].reverse())
    values = values.map((_, s) => {
      const q = (a: number) => rewards[s][a] + cvar(rows[s][a], values, level);
      const greedy = q(policy[s]);
      if (epsilon === 0) return greedy;
      const any = rows[s].reduce((sum, _, a) => sum + q(a), 0) / rows[s].length;
      return (1 - epsilon) * greedy + epsilon * any;
    });
  return values;
}
