import { apply } from "../apply.ts";
import { fail } from "../errors.ts";
import { show } from "../shape.ts";
import type { Tensor } from "../tensor.ts";
import { customGradient } from "../transform/custom.ts";
import { add, div, eq, gt, maximum, mul, sub, where } from "./arithmetic.ts";
import { requireType } from "./check.ts";
import { argsort, gather, lowerMask, sort } from "./indexing.ts";
import { matmul } from "./linear.ts";
import { expandDims, iota, reshape, slice, transpose } from "./movement.ts";
import { rootOfSquares } from "./reduce.ts";

function square(x: Tensor, op: string): number {
  requireType(x, ["f32"], op);
  const [m, n] = x.shape.slice(-2);
  if (x.rank < 2 || m !== n) fail(op, `needs square matrices [..., n, n], but got ${show(x.shape)}.`);
  return n;
}

/** @internal */
export function choleskyPrimitive(x: Tensor): Tensor {
  return apply("cholesky", [x], {}, x.shape, "f32");
}

/** The lower triangular L with L·Lᵀ = x, for symmetric positive definite matrices (NaN otherwise). */
export function cholesky(x: Tensor): Tensor {
  square(x, "cholesky");
  return choleskyOf(x);
}
// Murray (2016): the gradient is symmetrised L⁻ᵀ·Φ(Lᵀ·G)·L⁻¹, where Φ keeps the lower triangle and halves the diagonal.
const choleskyOf = customGradient(choleskyPrimitive, (g, l) => {
  const n = l.shape[l.rank - 1];
  const p = where(lowerMask(n, n, -1), matmul(transpose(l), g), 0);
  const diagonal = where(eq(iota([n, n], 0), iota([n, n], 1)), mul(matmul(transpose(l), g), 0.5), 0);
  const s = triangularSolve(l, transpose(triangularSolve(l, transpose(add(p, diagonal)), true)), true);
  return [mul(add(s, transpose(s)), 0.5)];
});

/** Solves L·y = b, or Lᵀ·y = b if `transposed`, for lower triangular L [..., n, n] and b [..., n, m]. */
export function triangularSolve(l: Tensor, b: Tensor, transposed = false): Tensor {
  const n = square(l, "triangularSolve");
  requireType(b, ["f32"], "triangularSolve");
  if (b.rank !== l.rank || b.shape.slice(0, -1).some((d, i) => d !== l.shape[i])) {
    fail(
      "triangularSolve",
      `the right-hand side ${show(b.shape)} does not match the matrices ${show(l.shape)}: it must be ${show([...l.shape.slice(0, -2), n]).slice(0, -1)}, columns].`,
    );
  }
  return apply("triangularSolve", [l, b], { transposed }, b.shape, "f32");
}

/** Solves x·y = b for symmetric positive definite x. */
export function solve(x: Tensor, b: Tensor): Tensor {
  const l = cholesky(x);
  return triangularSolve(l, triangularSolve(l, b), true);
}

/** The diagonal of the last two axes. */
export function diagonal(x: Tensor): Tensor {
  const n = square(x, "diagonal");
  const rows = reshape(x, [...x.shape.slice(0, -2), n * n]);
  return slice(rows, [...x.shape.slice(0, -2).map(() => null), { step: n + 1 }]);
}

/** Diagonal matrices with `x` on the diagonal. */
export function diagonalMatrix(x: Tensor): Tensor {
  const n = x.shape[x.rank - 1];
  return where(eq(iota([n, n], 0), iota([n, n], 1)), expandDims(x, -1), 0);
}

/** Eigenvalues in ascending order [..., n] and eigenvectors as columns [..., n, n] of small symmetric matrices. */
export function eigh(x: Tensor): { values: Tensor; vectors: Tensor } {
  const n = square(x, "eigh");
  const packed = jacobiOf(x);
  const lead = x.shape.slice(0, -2).map(() => null);
  const values = reshape(slice(packed, [...lead, [0, 1]]), [...x.shape.slice(0, -1)]);
  const vectors = slice(packed, [...lead, [1, n + 1]]);
  const order = argsort(values);
  return { values: sort(values), vectors: gather(vectors, expandDims(order, -2), -1) };
}

const jacobiOf = customGradient(
  (x: Tensor) => {
    const n = x.shape[x.rank - 1];
    return apply(
      "jacobi",
      [x],
      { sweeps: n < 4 ? 6 : n < 12 ? 8 : 12 },
      [...x.shape.slice(0, -2), n + 1, n],
      "f32",
    );
  },
  (g, y, x) => {
    const n = x.shape[x.rank - 1];
    const lead = x.shape.slice(0, -2).map(() => null);
    const row = (t: Tensor) => reshape(slice(t, [...lead, [0, 1]]), x.shape.slice(0, -1));
    const rest = (t: Tensor) => slice(t, [...lead, [1, n + 1]]);
    const [w, v] = [row(y), rest(y)];
    const gap = sub(expandDims(w, -2), expandDims(w, -1));
    // The eigenvectors of a repeated eigenvalue are arbitrary: functions that do not depend on the choice have no gradient there.
    const same = eq(gap, 0);
    const f = where(same, 0, div(1, where(same, 1, gap)));
    const inner = add(diagonalMatrix(row(g)), mul(f, matmul(transpose(v), rest(g))));
    const s = matmul(matmul(v, inner), transpose(v));
    return [mul(add(s, transpose(s)), 0.5)];
  },
);

/**
 * Singular values in descending order and vectors of small matrices [..., m, n], m ≥ n: x = u·diag(s)·vᵀ. The columns of u whose
 * singular value is 0 are 0.
 */
export function svd(x: Tensor): { u: Tensor; s: Tensor; v: Tensor } {
  requireType(x, ["f32"], "svd");
  const [m, n] = x.shape.slice(-2);
  if (x.rank < 2 || m < n)
    fail("svd", `needs [..., m, n] with m ≥ n, but got ${show(x.shape)}. Transpose it first.`);
  const { values, vectors } = eigh(matmul(transpose(x), x));
  const back = { step: -1 };
  const s = rootOfSquares(maximum(slice(values, [...values.shape.slice(0, -1).map(() => null), back]), 0));
  const v = slice(vectors, [...vectors.shape.slice(0, -1).map(() => null), back]);
  // Where s is 0, the product is a rounding error, which must not be divided by a tiny number.
  const scale = expandDims(s, -2);
  return { u: where(gt(scale, 0), div(matmul(x, v), maximum(scale, 1e-30)), 0), s, v };
}
