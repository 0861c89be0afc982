const { abs, fround } = Math;

/**
 * a · b + c of single-precision numbers, rounded once to single precision, like fused multiply-add instructions.
 *
 * The product is exact in double precision (24 + 24 bits). Its sum with c is not always exact, and rounding that to single would
 * round twice, which is wrong where the first rounding lands on or halfway between two single-precision numbers. So the sum is first
 * rounded to odd: the last bit marks an inexact sum, and the second rounding is then correct (Boldo and Melquiond, 2008).
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

/** `sum` if its last bit is 1; otherwise its neighbour in the direction of the error, whose last bit is 1. */
function toOdd(sum: number, error: number): number {
  real[0] = sum;
  if (bits[0] & 1n) return sum;
  // Away from zero counts up for either sign.
  bits[0] += error > 0 === sum > 0 ? 1n : -1n;
  return real[0];
}
