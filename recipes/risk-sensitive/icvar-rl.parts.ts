import type { Generator } from "@reins/core/random";
import { innerProduct, randomMdp } from "@reins/envs";

/**
 * A linear mixture MDP: in each step the transitions are a mixture, with unknown weights, of known kernels. Rewards are
 * known.
 */
export interface MixtureMdp {
  readonly states: number;
  readonly actions: number;
  readonly horizon: number;
  /** `kernels[state][action]`: the next states' probabilities in each kernel, one kernel after the other. */
  readonly kernels: readonly (readonly Float64Array[])[];
  readonly rewards: readonly Float64Array[];
  /** Weights of the kernels by step. */
  readonly weights: readonly Float64Array[];
  /** `transitions[step][state][action]`: the next states' probabilities. */
  readonly transitions: readonly (readonly (readonly Float64Array[])[])[];
}

export function randomMixture(
  random: Generator,
  o: { states: number; actions: number; horizon: number; kernels: number },
): MixtureMdp {
  const mdps = Array.from({ length: o.kernels }, () => randomMdp(random, { ...o, branching: 3 }));
  const pairs = <T>(of: (s: number, a: number) => T) =>
    Array.from({ length: o.states }, (_, s) => Array.from({ length: o.actions }, (_, a) => of(s, a)));
  const kernels = pairs((s, a) => {
    const p = new Float64Array(o.kernels * o.states);
    mdps.forEach(({ transition }, i) => {
      for (const outcome of transition[s][a]) p[i * o.states + outcome.state] += outcome.probability;
    });
    return p;
  });
  const rewards = pairs((s, a) => mdps[0].transition[s][a][0].reward).map((row) => Float64Array.from(row));
  const weights = Array.from({ length: o.horizon }, () => {
    const shares = Float64Array.from({ length: o.kernels }, () => random.exponential());
    const sum = shares.reduce((a, b) => a + b);
    return shares.map((x) => x / sum);
  });
  const transitions = weights.map((w) => pairs((s, a) => mixtureOf(kernels[s][a], w)));
  return { ...o, kernels, rewards, weights, transitions };
}

/** The next states' probabilities in a mixture of kernels. */
export function mixtureOf(kernels: Float64Array, weights: Float64Array): Float64Array {
  const p = new Float64Array(kernels.length / weights.length);
  for (let i = 0; i < weights.length; i++)
    for (let s = 0; s < p.length; s++) p[s] += weights[i] * kernels[i * p.length + s];
  return p;
}

/** Indices of values, the lowest first. */
export const ascending = (values: Float64Array): number[] =>
  Array.from(values, (_, i) => i).sort((a, b) => values[a] - values[b]);

/** Conditional value at risk: the mean of the worst `level` share of a distribution over values in this order. */
export function cvar(
  probabilities: Float64Array,
  values: Float64Array,
  order: readonly number[],
  level: number,
) {
  let [left, sum] = [level, 0];
  for (const i of order) {
    const taken = Math.min(left, probabilities[i]);
    sum += taken * values[i];
    left -= taken;
  }
  // Rounding may leave a remainder, which belongs to the best outcome.
  return (sum + left * values[order[order.length - 1]]) / level;
}

/** Q of a pair, from the values of the next step and their order. */
export type Backup = (
  step: number,
  s: number,
  a: number,
  next: Float64Array,
  order: readonly number[],
) => number;

/** Greedy actions by step and state, and the values of each step; the first of equal actions. */
export function planSteps({ states, actions, horizon }: MixtureMdp, backup: Backup) {
  const policy: Int32Array[] = [];
  const values = [new Float64Array(states)];
  for (let step = horizon - 1; step >= 0; step--) {
    const better = new Float64Array(states).fill(Number.NEGATIVE_INFINITY);
    const chosen = new Int32Array(states);
    const order = ascending(values[0]);
    for (let s = 0; s < states; s++)
      for (let a = 0; a < actions; a++) {
        const q = backup(step, s, a, values[0], order);
        if (q > better[s]) [better[s], chosen[s]] = [q, a];
      }
    policy.unshift(chosen);
    values.unshift(better);
  }
  return { policy, values };
}

/** The exact iterated CVaR of the first state under a policy, whose actions are random with probability `epsilon`. */
export function iteratedCvar(
  mdp: MixtureMdp,
  policy: readonly Int32Array[],
  level: number,
  epsilon = 0,
): number {
  let values = new Float64Array(mdp.states);
  for (let step = mdp.horizon - 1; step >= 0; step--) {
    const next = values;
    const order = ascending(next);
    const q = (s: number, a: number) =>
      mdp.rewards[s][a] + cvar(mdp.transitions[step][s][a], next, order, level);
    values = values.map((_, s) => {
      let any = 0;
      if (epsilon > 0) for (let a = 0; a < mdp.actions; a++) any += q(s, a) / mdp.actions;
      return (1 - epsilon) * q(s, policy[step][s]) + epsilon * any;
    });
  }
  return values[0];
}

/** Ridge regression, updated by one sample at a time. */
export class Ridge {
  readonly weights: Float64Array;
  private readonly inverse: Float64Array;
  private readonly sums: Float64Array;

  constructor(dimension: number, ridge: number) {
    this.weights = new Float64Array(dimension);
    this.sums = new Float64Array(dimension);
    this.inverse = new Float64Array(dimension * dimension);
    for (let i = 0; i < dimension; i++) this.inverse[i * dimension + i] = 1 / ridge;
  }

  /** Length of features in the metric of the past ones: the uncertainty of a prediction. */
  uncertainty(x: Float64Array): number {
    const d = x.length;
    let sum = 0;
    for (let i = 0; i < d; i++) for (let j = 0; j < d; j++) sum += x[i] * this.inverse[i * d + j] * x[j];
    return Math.sqrt(Math.max(0, sum));
  }

  learn(x: Float64Array, y: number): void {
    const d = x.length;
    const moved = x.map((_, i) => innerProduct(this.inverse.subarray(i * d, (i + 1) * d), x));
    const factor = 1 / (1 + innerProduct(x, moved));
    for (let i = 0; i < d; i++) {
      this.sums[i] += y * x[i];
      for (let j = 0; j < d; j++) this.inverse[i * d + j] -= factor * moved[i] * moved[j];
    }
    for (let i = 0; i < d; i++)
      this.weights[i] = innerProduct(this.inverse.subarray(i * d, (i + 1) * d), this.sums);
  }
}

/** Expectation of the values of the next states in each kernel. */
export function expectations(kernels: Float64Array, values: Float64Array, out: Float64Array): Float64Array {
  const n = values.length;
  for (let i = 0; i < out.length; i++) {
    out[i] = 0;
    for (let s = 0; s < n; s++) out[i] += kernels[i * n + s] * values[s];
  }
  return out;
}

/** Expectation of (x − V)⁺ for the values V of the next states in each kernel. */
export function shortfalls(
  kernels: Float64Array,
  x: number,
  values: Float64Array,
  out: Float64Array,
): Float64Array {
  const n = values.length;
  for (let i = 0; i < out.length; i++) {
    out[i] = 0;
    for (let s = 0; s < n; s++) if (values[s] < x) out[i] += kernels[i * n + s] * (x - values[s]);
  }
  return out;
}

/** Weights of a mixture by expectation maximisation: one step, from the current weights and all samples of a step. */
export function likelierWeights(
  weights: Float64Array,
  samples: readonly Float64Array[],
  prior: number,
): Float64Array {
  const sum = weights.map(() => prior);
  for (const p of samples) {
    const total = innerProduct(p, weights);
    for (let i = 0; i < sum.length; i++) sum[i] += (weights[i] * p[i]) / total;
  }
  const all = sum.reduce((a, b) => a + b);
  return sum.map((x) => x / all);
}
