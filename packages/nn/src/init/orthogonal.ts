import {
  add,
  div,
  expandDims,
  iota,
  matmul,
  mul,
  norm,
  oneHot,
  type Shape,
  scan,
  sub,
  type Tensor,
  tensor,
  transpose,
  zeros,
} from "@reins/tensor";

/** An orthonormal set of `count` rows of `length` ≥ count elements, from as many rows of normal noise. */
export function orthonormalRows(noise: Tensor): Tensor {
  return noise.node ? tracedRows(noise) : concreteRows(noise);
}

/** Modified Gram-Schmidt in double precision. */
function concreteRows(noise: Tensor): Tensor {
  const [count, length] = noise.shape;
  const rows = Float64Array.from(noise.data);
  for (let i = 0; i < count; i++) {
    const a = rows.subarray(i * length, (i + 1) * length);
    const size = Math.sqrt(dotProduct(a, a));
    for (let k = 0; k < length; k++) a[k] /= size;
    for (let j = i + 1; j < count; j++) {
      const b = rows.subarray(j * length, (j + 1) * length);
      const overlap = dotProduct(a, b);
      for (let k = 0; k < length; k++) b[k] -= overlap * a[k];
    }
  }
  return tensor(Float32Array.from(rows), { shape: [count, length] });
}

/** Four sums at once: a single one would wait for each addition. */
function dotProduct(a: Float64Array, b: Float64Array): number {
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  let k = 0;
  for (; k + 3 < a.length; k += 4) {
    s0 += a[k] * b[k];
    s1 += a[k + 1] * b[k + 1];
    s2 += a[k + 2] * b[k + 2];
    s3 += a[k + 3] * b[k + 3];
  }
  for (; k < a.length; k++) s0 += a[k] * b[k];
  return s0 + s1 + s2 + s3;
}

/** Inside compile(): classical Gram-Schmidt with every row orthogonalised twice, since once is not enough in single precision. */
function tracedRows(noise: Tensor): Tensor {
  const [count, length] = noise.shape;
  const clean = (done: Tensor, row: Tensor) => sub(row, matmul(matmul(row, transpose(done)), done));
  const { carry } = scan(
    (done: Tensor, { row, i }: { row: Tensor; i: Tensor }) => {
      const rest = clean(done, clean(done, expandDims(row, 0)));
      const unit = div(rest, norm(rest));
      return [add(done, mul(expandDims(oneHot(i, count), 1), unit)), []] as const;
    },
    zeros([count, length]),
    { row: noise, i: iota([count]) },
  );
  return carry;
}

/** Deviation of the rows of a matrix from orthonormality: the largest error of its Gram matrix. For tests and checks. */
export function orthogonalityError(rows: Tensor): number {
  const gram = matmul(rows, transpose(rows)).data;
  const n = rows.shape[0];
  let worst = 0;
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) worst = Math.max(worst, Math.abs(gram[i * n + j] - (i === j ? 1 : 0)));
  return worst;
}

/** A weight of any shape as a matrix: [inputs, outputs], or [out, the rest] for a convolution. */
export function matrixShape(shape: Shape): [number, number] {
  return shape.length === 2 ? [shape[0], shape[1]] : [shape[0], shape.slice(1).reduce((n, d) => n * d, 1)];
}
