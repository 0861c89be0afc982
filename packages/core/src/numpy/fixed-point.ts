// Numbers as integers in units of 2^-128. Engines differ in the last bit of Math.exp and Math.log, so tables that
// must be the same everywhere cannot use them.

const places = 128n;
const one = 1n << places;

/** A number in units of 2^-128; exact from 2^-76 upwards. */
export function fixed(value: number): bigint {
  return BigInt(value * 2 ** 128);
}

/** The nearest double. */
export function toNumber(value: bigint): number {
  return Number(value) * 2 ** -128;
}

/** The product. */
export function times(a: bigint, b: bigint): bigint {
  return (a * b) >> places;
}

/** The quotient. */
export function over(a: bigint, b: bigint): bigint {
  return (a << places) / b;
}

/** e^-x for x from 0 to about 16. */
export function expMinus(x: bigint): bigint {
  // The series is short for x / 256; squaring eight times undoes the division.
  const part = x >> 8n;
  let sum = one;
  let term = one;
  for (let n = 1n; term !== 0n; n++) {
    term = -times(term, part) / n;
    sum += term;
  }
  for (let i = 0; i < 8; i++) sum = times(sum, sum);
  return sum;
}

/** ln(a / b) for positive numbers, by the series of the inverse hyperbolic tangent, which is shorter for nearer numbers. */
export function logRatio(a: bigint, b: bigint): bigint {
  const z = over(a - b, a + b);
  const square = times(z, z);
  let sum = 0n;
  for (let power = z, n = 1n; power !== 0n; n += 2n) {
    sum += power / n;
    power = times(power, square);
  }
  return 2n * sum;
}
