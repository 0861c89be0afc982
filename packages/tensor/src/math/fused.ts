const { abs, fround } = Math;

/**
 * a · b + c of single-precision numbers, rounded once to single precision: what fused multiply-add instructions give.
 *
 * The product is exact in double precision (24 + 24 bits). Its sum with c is not always, and rounding that to single would round twice,
 * which is wrong where the first rounding lands between two single-precision numbers or on one. So the sum is rounded to odd first: where it is not exact, the last
 * bit says so, and the second rounding then goes the right way (Boldo and Melquiond, 2008).
 */
export function fused(a: number, b: number, c: number): number {
  const product = a * b;
  const sum = product + c;
  // The error of the sum, exactly (Knuth's two-sum).
  const part = sum - product;
  const error = product - (sum - part) + (c - part);
  if (error === 0 || !(abs(sum) < Number.POSITIVE_INFINITY)) return fround(sum);
  return fround(toOdd(sum, error));
}

const bits = new BigInt64Array(1);
const real = new Float64Array(bits.buffer);

/** `sum` where its last bit is 1 already; otherwise its neighbour on the side of the error, whose last bit is. */
function toOdd(sum: number, error: number): number {
  real[0] = sum;
  if (bits[0] & 1n) return sum;
  // Away from zero counts up, whatever the sign.
  bits[0] += error > 0 === sum > 0 ? 1n : -1n;
  return real[0];
}
