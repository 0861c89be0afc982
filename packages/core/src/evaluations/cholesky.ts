/** The lower Cholesky factor of a positive definite matrix. */
export function choleskyFactor(matrix: readonly (readonly number[])[]): Float64Array[] {
  const factor = matrix.map((row) => new Float64Array(row.length));
  for (let i = 0; i < matrix.length; i++)
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i][j];
      for (let k = 0; k < j; k++) sum -= factor[i][k] * factor[j][k];
      factor[i][j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / factor[j][j];
    }
  return factor;
}

/** Solves L x = b for a lower Cholesky factor L. */
export function solveLower(factor: readonly Float64Array[], b: ArrayLike<number>): Float64Array {
  const x = new Float64Array(factor.length);
  for (let i = 0; i < x.length; i++) {
    let sum = b[i];
    for (let k = 0; k < i; k++) sum -= factor[i][k] * x[k];
    x[i] = sum / factor[i][i];
  }
  return x;
}

/** Solves Lᵀ x = b for a lower Cholesky factor L. */
export function solveUpper(factor: readonly Float64Array[], b: ArrayLike<number>): Float64Array {
  const x = new Float64Array(factor.length);
  for (let i = x.length - 1; i >= 0; i--) {
    let sum = b[i];
    for (let k = i + 1; k < x.length; k++) sum -= factor[k][i] * x[k];
    x[i] = sum / factor[i][i];
  }
  return x;
}
