import type { Generator } from "@reins/core/random";
import { innerProduct } from "@reins/envs";

/** A bilinear zero-sum game: the first player minimises xᵀ A y, the second maximises it. */
export type Game = readonly Float64Array[];

/** A random game whose matrix has singular values from 0.5 to 1.5 in a random basis. */
export function randomGame(random: Generator, size: number): Game {
  const basis = () => {
    const rows: Float64Array[] = [];
    for (let i = 0; i < size; i++) {
      const row = Float64Array.from({ length: size }, () => random.standardNormal());
      // Gram-Schmidt.
      for (const other of rows) {
        const overlap = innerProduct(row, other);
        for (let j = 0; j < size; j++) row[j] -= overlap * other[j];
      }
      const length = norm(row);
      rows.push(row.map((x) => x / length));
    }
    return rows;
  };
  const [left, right] = [basis(), basis()];
  const values = Array.from({ length: size }, () => random.uniform(0.5, 1.5));
  return Array.from({ length: size }, (_, i) =>
    Float64Array.from({ length: size }, (_, j) =>
      values.reduce((sum, s, k) => sum + s * left[k][i] * right[k][j], 0),
    ),
  );
}

/** The Euclidean norm. */
export const norm = (a: Float64Array): number => Math.sqrt(innerProduct(a, a));

/** Gradients of both players' losses, one after the other: A y and −Aᵀ x. */
export function gradients(game: Game, actions: Float64Array): Float64Array {
  const n = game.length;
  const out = new Float64Array(2 * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      out[i] += game[i][j] * actions[n + j];
      out[n + j] -= game[i][j] * actions[i];
    }
  return out;
}

/** Both players of a game, who learn from feedback on their gradients. */
export interface Players {
  /** The actions of round `t`, counted from 0. */
  play(t: number): Float64Array;
  observe(t: number, feedback: Float64Array): void;
}

/** Learning rates of the extrapolation (γ) and of the update (η) in round `t`. */
export type Rates = (t: number) => { readonly extrapolate: number; readonly update: number };

/** The optimistic gradient method: plays X − γ g, where g is the last feedback, and then updates X ← X − η g. */
export function optimistic(start: Float64Array, rates: Rates): Players {
  let [state, last]: [Float64Array, Float64Array] = [start, new Float64Array(start.length)];
  return {
    play: (t) => state.map((x, i) => x - rates(t).extrapolate * last[i]),
    observe(t, feedback) {
      state = state.map((x, i) => x - rates(t).update * feedback[i]);
      last = feedback;
    },
  };
}

/**
 * Optimistic dual averaging with one adaptive rate per player: the start minus (G + g) times `scale` / √(τ + Σ ‖change of
 * the feedback‖²), where G is the sum of the feedback and g the last one.
 */
export function adaptive(start: Float64Array, { scale, tau }: { scale: number; tau: number }): Players {
  const half = start.length / 2;
  const sum = new Float64Array(start.length);
  const changes = [tau, tau];
  let last: Float64Array = new Float64Array(start.length);
  const ofPlayer = (i: number) => (i < half ? 0 : 1);
  return {
    play: () => start.map((x, i) => x - (scale * (sum[i] + last[i])) / Math.sqrt(changes[ofPlayer(i)])),
    observe(_, feedback) {
      feedback.forEach((g, i) => {
        sum[i] += g;
        changes[ofPlayer(i)] += (g - last[i]) ** 2;
      });
      last = feedback;
    },
  };
}
