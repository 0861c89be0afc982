import { symmetricEigen } from "./eigen.ts";

/** A covariance matrix for sampling members: y = C^½ z. */
export interface Covariance {
  /** Writes C^½ z into y. */
  shape(z: Float64Array, y: Float64Array): void;
  /** Writes C^-½ y into z. */
  unshape(y: Float64Array, z: Float64Array): void;
  /** Becomes `keep` times itself plus weighted outer products of vectors with themselves. */
  update(keep: number, vectors: readonly Float64Array[], weights: ArrayLike<number>): void;
  /** Mean variance. */
  readonly variance: number;
  readonly parts: { readonly [name: string]: unknown };
}

/** A diagonal covariance matrix (Ros and Hansen, 2008). */
export function diagonal(size: number): Covariance {
  const c = new Float64Array(size).fill(1);
  return {
    shape(z, y) {
      for (let k = 0; k < size; k++) y[k] = Math.sqrt(c[k]) * z[k];
    },
    unshape(y, z) {
      for (let k = 0; k < size; k++) z[k] = y[k] / Math.sqrt(c[k]);
    },
    update(keep, vectors, weights) {
      for (let k = 0; k < size; k++) {
        c[k] *= keep;
        for (let i = 0; i < vectors.length; i++) c[k] += weights[i] * vectors[i][k] ** 2;
      }
    },
    get variance() {
      return c.reduce((a, b) => a + b) / size;
    },
    parts: { c },
  };
}

/** A full covariance matrix. The eigendecomposition is recomputed only every `every` updates: it changes slowly. */
export function full(size: number, every: number): Covariance {
  const c = new Float64Array(size * size);
  /** Columns are the eigenvectors, and lengths the square roots of the eigenvalues. */
  const axes = new Float64Array(size * size);
  const lengths = new Float64Array(size).fill(1);
  for (let k = 0; k < size; k++) c[k * size + k] = axes[k * size + k] = 1;
  const counters = { updates: 0 };
  const along = new Float64Array(size);

  /** B f(D) Bᵀ x, where B are the eigenvectors and `stretch` is f. */
  const turned = (x: Float64Array, out: Float64Array, stretch: (length: number) => number) => {
    along.fill(0);
    for (let k = 0; k < size; k++) for (let a = 0; a < size; a++) along[a] += axes[k * size + a] * x[k];
    for (let a = 0; a < size; a++) along[a] *= stretch(lengths[a]);
    for (let k = 0; k < size; k++) {
      let sum = 0;
      for (let a = 0; a < size; a++) sum += axes[k * size + a] * along[a];
      out[k] = sum;
    }
  };
  return {
    shape: (z, y) => turned(z, y, (length) => length),
    unshape: (y, z) => turned(y, z, (length) => 1 / length),
    update(keep, vectors, weights) {
      for (let k = 0; k < size; k++)
        for (let l = 0; l <= k; l++) {
          let sum = keep * c[k * size + l];
          for (let i = 0; i < vectors.length; i++) sum += weights[i] * vectors[i][k] * vectors[i][l];
          c[k * size + l] = c[l * size + k] = sum;
        }
      if (++counters.updates % every) return;
      const values = symmetricEigen(c, axes, size);
      // Rounding may leave an axis of length 0, which the search could never leave.
      const least = 1e-14 * values.reduce((a, b) => Math.max(a, b));
      values.forEach((value, a) => {
        lengths[a] = Math.sqrt(Math.max(value, least));
      });
    },
    get variance() {
      let trace = 0;
      for (let k = 0; k < size; k++) trace += c[k * size + k];
      return trace / size;
    },
    parts: { c, axes, lengths, counters },
  };
}
