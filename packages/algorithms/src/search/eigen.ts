/**
 * Eigenvalues of a symmetric matrix in row-major order, and its eigenvectors as the columns of `vectors`: Jacobi
 * rotations, row by row, until the off-diagonal elements are negligible.
 */
export function symmetricEigen(matrix: Float64Array, vectors: Float64Array, size: number): Float64Array {
  const a = matrix.slice();
  vectors.fill(0);
  for (let k = 0; k < size; k++) vectors[k * size + k] = 1;
  for (let sweep = 0; sweep < 50; sweep++) {
    let off = 0;
    let on = 0;
    for (let p = 0; p < size; p++)
      for (let q = 0; q < size; q++)
        if (p === q) on += a[p * size + q] ** 2;
        else off += a[p * size + q] ** 2;
    if (off <= 1e-30 * on) break;
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) rotate(a, vectors, size, p, q);
  }
  return Float64Array.from({ length: size }, (_, k) => a[k * size + k]);
}

/** The rotation that zeroes the element at p, q. */
function rotate(a: Float64Array, vectors: Float64Array, size: number, p: number, q: number): void {
  const apq = a[p * size + q];
  if (apq === 0) return;
  const theta = (a[q * size + q] - a[p * size + p]) / (2 * apq);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < size; k++) mix(a, k * size + p, k * size + q, c, s);
  for (let k = 0; k < size; k++) mix(a, p * size + k, q * size + k, c, s);
  for (let k = 0; k < size; k++) mix(vectors, k * size + p, k * size + q, c, s);
}

function mix(a: Float64Array, i: number, j: number, c: number, s: number): void {
  const [x, y] = [a[i], a[j]];
  a[i] = c * x - s * y;
  a[j] = s * x + c * y;
}
