import type { Generator } from "@reins/core/random";
import { evaluatePolicy, policyIteration, type TabularMdp, tabularMdp } from "@reins/envs";
import { mean } from "@reins/recipes";

/** One distribution over next states for each state and action, in row-major order. */
export type Rows = readonly Float64Array[];

const normalised = (row: Float64Array): Float64Array => {
  const sum = row.reduce((a, b) => a + b);
  return row.map((x) => x / sum);
};

/** Random rows in which `branching` next states are likely; all others have a small probability. */
export const randomRows = (random: Generator, count: number, states: number, branching: number): Rows =>
  Array.from({ length: count }, () => {
    const row = new Float64Array(states).fill(0.015);
    for (const s of random.permutation(states).slice(0, branching)) row[s] += random.random() / branching;
    return normalised(row);
  });

/** Rows of a related task: every probability is multiplied by a gamma variable with this integer shape. */
export const relatedRows = (random: Generator, rows: Rows, shape: number): Rows =>
  rows.map((row) => {
    const factor = () => {
      let sum = 0;
      for (let i = 0; i < shape; i++) sum += random.exponential();
      return sum;
    };
    return normalised(row.map((p) => p * factor()));
  });

/** The MDP of these rows and rewards. */
export const mdpOf = (rows: Rows, rewards: Float64Array, states: number): TabularMdp =>
  tabularMdp(
    {
      id: "task",
      states,
      actions: rows.length / states,
      start: Array.from({ length: states }, () => 1 / states),
    },
    (s, a) => {
      const i = (s * rows.length) / states + a;
      return Array.from(rows[i], (probability, state) => ({
        probability,
        state,
        reward: rewards[i],
        terminated: false,
      }));
    },
  );

/** Counts of transitions in trajectories of random actions from random states. */
export function explore(
  rows: Rows,
  { states, trajectories, steps }: { states: number; trajectories: number; steps: number },
  random: Generator,
): Rows {
  const counts = rows.map(() => new Float64Array(states));
  const actions = rows.length / states;
  for (let k = 0; k < trajectories; k++)
    for (let t = 0, s = random.integers(states); t < steps; t++) {
      const i = s * actions + random.integers(actions);
      s = random.choice(states, rows[i]);
      counts[i][s]++;
    }
  return counts;
}

/** Reward a step that the policy of a model loses in a task, if planned with `gamma` and evaluated with `long`. */
export function planningLoss(task: TabularMdp, model: TabularMdp, gamma: number, long: number): number {
  const { policy } = policyIteration(model, { gamma });
  const best = policyIteration(task, { gamma: long }).values;
  const found = evaluatePolicy(task, policy, { gamma: long });
  return (1 - long) * mean(Array.from(best, (v, s) => v - found[s]));
}

/** Mean and variance of the rows of past tasks, by Welford's method; pairs that a task has not visited are left out. */
export class TaskPrior {
  readonly mean: Float64Array[];
  readonly variance: Float64Array[];
  readonly tasks: Float64Array;

  constructor(rows: number, states: number, variance: number) {
    this.mean = Array.from({ length: rows }, () => new Float64Array(states).fill(1 / states));
    this.variance = Array.from({ length: rows }, () => new Float64Array(states).fill(variance));
    this.tasks = new Float64Array(rows);
  }

  learn(counts: Rows): void {
    counts.forEach((row, i) => {
      const n = row.reduce((a, b) => a + b);
      if (n === 0) return;
      const t = ++this.tasks[i];
      const before = this.mean[i];
      this.mean[i] = before.map((m, s) => m + (row[s] / n - m) / t);
      // The first task has no variance: the initial guess stays.
      if (t > 1)
        this.variance[i] = this.variance[i].map(
          (v, s) => (1 - 1 / t) * v + Math.abs((row[s] / n - before[s]) * (row[s] / n - this.mean[i][s])) / t,
        );
    });
  }

  /**
   * The share of the prior in the estimate of a row from m trajectories: v² / (v² + σ² (1 + 1 / t) m), where σ² is the
   * largest variance of the row.
   */
  share(row: number, noise: number, m: number): number {
    const t = this.tasks[row];
    const spread = this.variance[row].reduce((a, b) => Math.max(a, b));
    return t === 0 ? 0 : noise / (noise + spread * (1 + 1 / t) * m);
  }
}

/** Frequencies of a task; uniform without data. */
export const frequencies = (counts: Rows): Rows =>
  counts.map((row) => {
    const n = row.reduce((a, b) => a + b);
    return row.map((c) => (n === 0 ? 1 / row.length : c / n));
  });

/** Frequencies after `pseudo` samples of a prior. */
export const smoothed = (counts: Rows, prior: Rows, pseudo: number): Rows =>
  counts.map((row, i) => {
    const n = row.reduce((a, b) => a + b);
    return row.map((c, s) => (n + pseudo === 0 ? prior[i][s] : (c + pseudo * prior[i][s]) / (n + pseudo)));
  });

/** Each row is a mixture with this share of the prior. */
export const mixed = (own: Rows, prior: Rows, share: (row: number) => number): Rows =>
  own.map((row, i) => row.map((p, s) => (1 - share(i)) * p + share(i) * prior[i][s]));
