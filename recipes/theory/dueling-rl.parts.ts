import type { Generator } from "@reins/core/random";
import { innerProduct, randomMdp, sampleOutcome, type TabularMdp } from "@reins/envs";
import { real } from "@reins/tensor";

/** Trajectories of an MDP have features, the sums over their steps, and a linear score that only comparisons reveal. */
export interface Duel {
  readonly mdp: TabularMdp;
  readonly horizon: number;
  /** Features of each state and action, in row-major order. */
  readonly features: readonly Float64Array[];
  /** Weights of the score. */
  readonly weights: Float64Array;
  /** Actions by step and state. */
  readonly policies: readonly (readonly Int32Array[])[];
  /** Expected features of the trajectories of each policy. */
  readonly means: readonly Float64Array[];
}

/** Sizes of a {@link Duel}. */
export interface DuelOptions {
  readonly states: number;
  readonly actions: number;
  readonly horizon: number;
  readonly dimension: number;
  readonly policies: number;
  /** Length of the weights: how far probabilities of preferences are from one half. */
  readonly strength: number;
}

/** A random MDP with random features; the policies are optimal for random weights. */
export function randomDuel(random: Generator, o: DuelOptions): Duel {
  const mdp = randomMdp(random, { states: o.states, actions: o.actions, branching: 3 });
  const direction = (length: number) => {
    const x = Float64Array.from({ length: o.dimension }, () => random.standardNormal());
    const norm = Math.sqrt(innerProduct(x, x));
    return x.map((v) => (v / norm) * length);
  };
  const features = Array.from({ length: o.states * o.actions }, () => direction(1));
  const policies = Array.from({ length: o.policies }, () => {
    const weights = direction(1);
    return bestPolicy(mdp, o.horizon, (i) => innerProduct(features[i], weights));
  });
  const means = policies.map((policy) => expectedFeatures(mdp, features, policy));
  return { mdp, horizon: o.horizon, features, weights: direction(o.strength), policies, means };
}

function bestPolicy(mdp: TabularMdp, horizon: number, reward: (pair: number) => number): Int32Array[] {
  const policy: Int32Array[] = [];
  let values = new Float64Array(mdp.states);
  for (let left = 1; left <= horizon; left++) {
    const actions = new Int32Array(mdp.states);
    const next = values;
    values = new Float64Array(mdp.states).fill(Number.NEGATIVE_INFINITY);
    for (let s = 0; s < mdp.states; s++)
      for (let a = 0; a < mdp.actions; a++) {
        const future = mdp.transition[s][a].reduce((sum, o) => sum + o.probability * next[o.state], 0);
        const q = reward(s * mdp.actions + a) + future;
        if (q > values[s]) [values[s], actions[s]] = [q, a];
      }
    policy.unshift(actions);
  }
  return policy;
}

/** The exact expectation of the features of a policy's trajectories. */
export function expectedFeatures(
  mdp: TabularMdp,
  features: readonly Float64Array[],
  policy: readonly Int32Array[],
): Float64Array {
  const sum = new Float64Array(features[0].length);
  let share = Float64Array.from(mdp.start);
  for (const actions of policy) {
    const next = new Float64Array(mdp.states);
    share.forEach((p, s) => {
      features[s * mdp.actions + actions[s]].forEach((f, k) => {
        sum[k] += p * f;
      });
      for (const o of mdp.transition[s][actions[s]]) next[o.state] += p * o.probability;
    });
    share = next;
  }
  return sum;
}

/** Features of one trajectory of a policy. */
export function sampleFeatures(
  { mdp, features, policies }: Duel,
  policy: number,
  random: Generator,
): Float64Array {
  const sum = new Float64Array(features[0].length);
  let s = random.choice(mdp.states, mdp.start);
  for (const actions of policies[policy]) {
    const a = actions[s];
    features[s * mdp.actions + a].forEach((f, k) => {
      sum[k] += f;
    });
    s = sampleOutcome(mdp, s, a, random).state;
  }
  return sum;
}

export const sigmoid = (x: number): number => 1 / (1 + real.exp(-x));

/** Logistic regression on differences of features, with an L2 penalty; one step of Newton's method per comparison. */
export class Preferences {
  readonly weights: Float64Array;
  private readonly differences: Float64Array[] = [];
  private readonly won: number[] = [];
  private readonly ridge: number;

  constructor(dimension: number, ridge: number) {
    this.weights = new Float64Array(dimension);
    this.ridge = ridge;
  }

  /** Adds a comparison: whether the first of two trajectories was preferred, and their difference of features. */
  learn(difference: Float64Array, first: boolean): void {
    this.differences.push(difference);
    this.won.push(first ? 1 : 0);
    const gradient = this.weights.map((w) => this.ridge * w);
    this.differences.forEach((x, n) => {
      const error = sigmoid(innerProduct(x, this.weights)) - this.won[n];
      for (let k = 0; k < x.length; k++) gradient[k] += error * x[k];
    });
    const step = solveFactored(cholesky(this.hessian()), gradient);
    for (let k = 0; k < step.length; k++) this.weights[k] -= step[k];
  }

  /** The lower triangle of the Hessian of the penalised loss: the inverse covariance of the posterior's normal approximation. */
  hessian(): Float64Array[] {
    const d = this.weights.length;
    const h = Array.from({ length: d }, (_, i) => new Float64Array(d).fill(this.ridge, i, i + 1));
    for (const x of this.differences) {
      const p = sigmoid(innerProduct(x, this.weights));
      for (let i = 0; i < d; i++) for (let j = 0; j <= i; j++) h[i][j] += p * (1 - p) * x[i] * x[j];
    }
    return h;
  }
}

/** The lower triangle L with L Lᵀ = A, for a positive definite matrix. */
export function cholesky(a: readonly Float64Array[]): Float64Array[] {
  const l = a.map((row) => new Float64Array(row.length));
  for (let i = 0; i < a.length; i++)
    for (let j = 0; j <= i; j++) {
      let sum = a[i][j];
      for (let k = 0; k < j; k++) sum -= l[i][k] * l[j][k];
      l[i][j] = i === j ? Math.sqrt(sum) : sum / l[j][j];
    }
  return l;
}

/** Solves L y = b. */
export function solveLower(l: readonly Float64Array[], b: Float64Array): Float64Array {
  const y = b.slice();
  for (let i = 0; i < y.length; i++) {
    for (let k = 0; k < i; k++) y[i] -= l[i][k] * y[k];
    y[i] /= l[i][i];
  }
  return y;
}

/** Solves L Lᵀ x = b. */
export const solveFactored = (l: readonly Float64Array[], b: Float64Array): Float64Array =>
  solveUpper(l, solveLower(l, b));

/** Solves Lᵀ x = y; with standard normal y, x has the covariance (L Lᵀ)⁻¹. */
export function solveUpper(l: readonly Float64Array[], y: Float64Array): Float64Array {
  const x = y.slice();
  for (let i = x.length - 1; i >= 0; i--) {
    for (let k = i + 1; k < x.length; k++) x[i] -= l[k][i] * x[k];
    x[i] /= l[i][i];
  }
  return x;
}
