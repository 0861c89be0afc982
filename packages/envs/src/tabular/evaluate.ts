import { fail } from "@reins/core";
import type { TabularMdp } from "./mdp.ts";

/** An action for each state, or a probability for each state and action, in row-major order. */
export type TabularPolicy = Int32Array | Float64Array;

/**
 * The exact value of each state under a policy, by solving V = R + γ P V. With `gamma` 1 every state must reach a
 * terminal state.
 */
export function evaluatePolicy(
  mdp: TabularMdp,
  policy: TabularPolicy,
  { gamma }: { gamma: number },
): Float64Array {
  const { id, states: n, actions, transition } = mdp;
  const certain = policy instanceof Int32Array;
  if (policy.length !== (certain ? n : n * actions))
    fail(
      id,
      `a policy has ${n} actions (Int32Array) or ${n} × ${actions} probabilities (Float64Array), but this one has ${policy.length} entries.`,
    );
  const matrix = new Float64Array(n * n);
  const values = new Float64Array(n);
  for (let s = 0; s < n; s++) {
    matrix[s * n + s] = 1;
    for (let a = 0; a < actions; a++) {
      const chosen = certain ? (policy[s] === a ? 1 : 0) : policy[s * actions + a];
      if (chosen === 0) continue;
      for (const o of transition[s][a]) {
        values[s] += chosen * o.probability * o.reward;
        if (!o.terminated) matrix[s * n + o.state] -= gamma * chosen * o.probability;
      }
    }
  }
  if (!solveInPlace(matrix, values))
    fail(
      id,
      "this policy never terminates from some state, so its value is infinite with gamma 1. Use gamma below 1.",
    );
  return values;
}

/** Solves A x = b by Gaussian elimination with pivoting; x replaces b. False if A is singular. */
export function solveInPlace(a: Float64Array, b: Float64Array): boolean {
  const n = b.length;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(a[i * n + k]) > Math.abs(a[pivot * n + k])) pivot = i;
    if (Math.abs(a[pivot * n + k]) < 1e-12) return false;
    if (pivot !== k) {
      for (let j = k; j < n; j++) [a[k * n + j], a[pivot * n + j]] = [a[pivot * n + j], a[k * n + j]];
      [b[k], b[pivot]] = [b[pivot], b[k]];
    }
    for (let i = k + 1; i < n; i++) {
      const factor = a[i * n + k] / a[k * n + k];
      if (factor === 0) continue;
      for (let j = k; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
      b[i] -= factor * b[k];
    }
  }
  for (let k = n - 1; k >= 0; k--) {
    for (let j = k + 1; j < n; j++) b[k] -= a[k * n + j] * b[j];
    b[k] /= a[k * n + k];
  }
  return true;
}
