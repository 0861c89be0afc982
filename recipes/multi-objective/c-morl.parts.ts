import type { Generator } from "@reins/core/random";
import { real } from "@reins/tensor";

/** An MDP with a vector of rewards from 0 to 1, one for each objective. */
export interface VectorMdp {
  readonly states: number;
  readonly actions: number;
  readonly objectives: number;
  readonly discount: number;
  /** `transitions[s][a]`: probabilities of the next states. */
  readonly transitions: readonly (readonly Float64Array[])[];
  /** `rewards[s][a][objective]`. */
  readonly rewards: readonly (readonly Float64Array[])[];
}

/** A few random successors of each state and action; most rewards are small, so that objectives conflict. */
export function randomVectorMdp(
  random: Generator,
  o: { states: number; actions: number; objectives: number; discount: number },
): VectorMdp {
  const pairs = <T>(make: () => T) =>
    Array.from({ length: o.states }, () => Array.from({ length: o.actions }, make));
  return {
    ...o,
    transitions: pairs(() => {
      const p = new Float64Array(o.states);
      for (let i = 0; i < 3; i++) p[random.integers(o.states)] += 1 / 3;
      return p;
    }),
    rewards: pairs(() => Float64Array.from({ length: o.objectives }, () => random.random() ** 3)),
  };
}

/** Probabilities of actions by state. */
export type Policy = readonly Float64Array[];

/** Values of all objectives by state, in units in which a reward of 1 in every step is 1. */
export function valuesOf(mdp: VectorMdp, policy: Policy): Float64Array[] {
  const { states, objectives, discount } = mdp;
  // Gaussian elimination on (I − γ P) V = (1 − γ) R.
  const rows = policy.map((p, s) => {
    const row = new Float64Array(states + objectives);
    row[s] = 1;
    p.forEach((share, a) => {
      for (let n = 0; n < states; n++) row[n] -= discount * share * mdp.transitions[s][a][n];
      for (let k = 0; k < objectives; k++) row[states + k] += (1 - discount) * share * mdp.rewards[s][a][k];
    });
    return row;
  });
  // The matrix is diagonally dominant: no pivoting.
  for (let i = 0; i < states; i++)
    for (let r = 0; r < states; r++) {
      const factor = rows[r][i] / rows[i][i];
      if (r === i || factor === 0) continue;
      for (let c = i; c < rows[r].length; c++) rows[r][c] -= factor * rows[i][c];
    }
  return rows.map((r, s) => Float64Array.from({ length: objectives }, (_, k) => r[states + k] / r[s]));
}

/** Returns from a random first state. */
export const returnsOf = (values: readonly Float64Array[]): Float64Array =>
  values[0].map((_, k) => values.reduce((sum, v) => sum + v[k], 0) / values.length);

/** One step of natural policy gradient: logits rise with the advantages, weighted over objectives. */
export function climb(
  mdp: VectorMdp,
  policy: Policy,
  values: readonly Float64Array[],
  weights: ArrayLike<number>,
  learningRate: number,
): Policy {
  const norm = Array.from(weights).reduce((a, b) => a + b);
  return policy.map((p, s) => {
    const raised = p.map((share, a) => {
      let advantage = 0;
      for (let k = 0; k < mdp.objectives; k++) {
        let next = 0;
        for (let n = 0; n < mdp.states; n++) next += mdp.transitions[s][a][n] * values[n][k];
        const q = (1 - mdp.discount) * mdp.rewards[s][a][k] + mdp.discount * next;
        advantage += (weights[k] / norm) * (q - values[s][k]);
      }
      return Math.max(1e-8, share * real.exp((learningRate * advantage) / (1 - mdp.discount)));
    });
    const sum = raised.reduce((a, b) => a + b);
    return raised.map((x) => x / sum);
  });
}

export const uniform = ({ states, actions }: VectorMdp): Policy =>
  Array.from({ length: states }, () => new Float64Array(actions).fill(1 / actions));

/** A policy of the archive with its returns. */
export interface Found {
  readonly policy: Policy;
  readonly returns: Float64Array;
}

/** The policies that no other one dominates. */
export const front = <F extends { readonly returns: Float64Array }>(found: readonly F[]): F[] =>
  found.filter(
    (f, i) =>
      !found.some(
        (g, j) =>
          g.returns.every((x, k) => x >= f.returns[k]) &&
          (j < i || g.returns.some((x, k) => x > f.returns[k])),
      ),
  );

/** Crowding distances (NSGA-II): by objective the gap between the neighbours of a policy; twice its only gap for an extreme. */
export function crowding(found: readonly Found[]): Float64Array {
  const distance = new Float64Array(found.length);
  for (let k = 0; k < (found[0]?.returns.length ?? 0); k++) {
    const order = found.map((_, i) => i).sort((a, b) => found[a].returns[k] - found[b].returns[k]);
    const last = order.length - 1;
    const at = (i: number) => found[order[i]].returns[k];
    const range = at(last) - at(0) || 1;
    order.forEach((f, i) => {
      const gap = at(Math.min(last, i + 1)) - at(Math.max(0, i - 1));
      distance[f] += ((i === 0 || i === last ? 2 : 1) * gap) / range;
    });
  }
  return distance;
}

/** Weights of `count` steps on the edges of the simplex: count = 2 gives six for three objectives. */
export function lattice(objectives: number, count: number): number[][] {
  if (objectives === 1) return [[1]];
  const all: number[][] = [];
  for (let i = 0; i <= count; i++)
    if (i === count) all.push([1, ...new Array<number>(objectives - 1).fill(0)]);
    else
      for (const rest of lattice(objectives - 1, count - i))
        all.push([i / count, ...rest.map((w) => (w * (count - i)) / count)]);
  return all;
}

/** The share of the box from 0 to the best returns that the policies dominate, counted on a grid with `fine` points an axis. */
export function hypervolume(returns: readonly Float64Array[], best: Float64Array, fine: number): number {
  const size = best.length;
  const point = new Float64Array(size);
  let inside = 0;
  for (let index = 0; index < fine ** size; index++) {
    for (let [k, rest] = [0, index]; k < size; k++, rest = Math.floor(rest / fine))
      point[k] = (best[k] * ((rest % fine) + 0.5)) / fine;
    if (returns.some((r) => r.every((x, k) => x >= point[k]))) inside++;
  }
  return inside / fine ** size;
}
