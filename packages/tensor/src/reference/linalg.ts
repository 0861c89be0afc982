import { sizeOf } from "../shape.ts";
import type { Evaluators } from "./evaluator.ts";

const fround = Math.fround;

export const linearAlgebra: Evaluators<"matmul" | "cholesky" | "triangularSolve" | "jacobi"> = {
  matmul: ([a, b], _, out, shape) => {
    const [m, n] = shape.slice(-2);
    const k = a.shape[a.shape.length - 1];
    for (let batch = 0; batch < sizeOf(shape.slice(0, -2)); batch++) {
      for (let i = 0; i < m; i++) {
        for (let j = 0; j < n; j++) {
          let total = 0;
          for (let l = 0; l < k; l++)
            total += a.data[(batch * m + i) * k + l] * b.data[(batch * k + l) * n + j];
          out[(batch * m + i) * n + j] = total;
        }
      }
    }
  },

  /** The lower triangular L with L·Lᵀ = x; NaN if x is not positive definite. */
  cholesky: ([x], _, out, shape) => {
    const n = shape[shape.length - 1];
    for (let start = 0; start < out.length; start += n * n) {
      for (let i = 0; i < n; i++) {
        for (let j = 0; j <= i; j++) {
          let s = x.data[start + i * n + j];
          for (let k = 0; k < j; k++) s = fround(s - fround(out[start + i * n + k] * out[start + j * n + k]));
          out[start + i * n + j] = i === j ? Math.sqrt(s) : s / out[start + j * n + j];
        }
      }
    }
  },

  /** Solves L·y = b (or Lᵀ·y = b) for a lower triangular L; elements above the diagonal are not read. */
  triangularSolve: ([l, b], { transposed }, out, shape) => {
    const [n, m] = shape.slice(-2);
    for (let batch = 0; batch < sizeOf(shape.slice(0, -2)); batch++) {
      const at = (i: number, j: number) =>
        l.data[(batch * n + (transposed ? j : i)) * n + (transposed ? i : j)];
      for (let step = 0; step < n; step++) {
        const i = transposed ? n - 1 - step : step;
        for (let c = 0; c < m; c++) {
          let s = b.data[(batch * n + i) * m + c];
          for (let done = 0; done < step; done++) {
            const j = transposed ? n - 1 - done : done;
            s = fround(s - fround(at(i, j) * out[(batch * n + j) * m + c]));
          }
          out[(batch * n + i) * m + c] = s / at(i, i);
        }
      }
    }
  },

  /**
   * Eigenvalues (first row) and eigenvectors (columns of the other rows) of symmetric matrices, by cyclic Jacobi rotations; in no
   * particular order.
   */
  jacobi: ([x], { sweeps }, out, shape) => {
    const n = shape[shape.length - 1];
    const a = new Float32Array(n * n);
    for (let batch = 0; batch < sizeOf(shape.slice(0, -2)); batch++) {
      const o = batch * (n + 1) * n;
      const v = out.subarray(o + n, o + (n + 1) * n);
      a.set(x.data.subarray(batch * n * n, (batch + 1) * n * n));
      for (let i = 0; i < n; i++) v[i * n + i] = 1;
      for (let sweep = 0; sweep < sweeps; sweep++) {
        for (let p = 0; p < n - 1; p++) for (let q = p + 1; q < n; q++) rotate(a, v as Float32Array, n, p, q);
      }
      for (let i = 0; i < n; i++) out[o + i] = a[i * n + i];
    }
  },
};

/** One rotation in the plane of axes p and q that makes a[p, q] zero. */
function rotate(a: Float32Array, v: Float32Array, n: number, p: number, q: number): void {
  const off = a[p * n + q];
  if (Math.abs(off) < fround(1e-30)) return;
  const theta = fround(fround(a[q * n + q] - a[p * n + p]) / fround(2 * off));
  const t = fround(
    (theta < 0 ? -1 : 1) / fround(Math.abs(theta) + fround(Math.sqrt(fround(fround(theta * theta) + 1)))),
  );
  const c = fround(1 / fround(Math.sqrt(fround(fround(t * t) + 1))));
  const s = fround(t * c);
  for (let k = 0; k < n; k++) {
    const [x, y] = [a[k * n + p], a[k * n + q]];
    a[k * n + p] = fround(fround(c * x) - fround(s * y));
    a[k * n + q] = fround(fround(s * x) + fround(c * y));
  }
  for (let k = 0; k < n; k++) {
    const [x, y] = [a[p * n + k], a[q * n + k]];
    a[p * n + k] = fround(fround(c * x) - fround(s * y));
    a[q * n + k] = fround(fround(s * x) + fround(c * y));
  }
  for (let k = 0; k < n; k++) {
    const [x, y] = [v[k * n + p], v[k * n + q]];
    v[k * n + p] = fround(fround(c * x) - fround(s * y));
    v[k * n + q] = fround(fround(s * x) + fround(c * y));
  }
}
