/**
 * Sine and cosine of a single up to π/4, in single precision as NumPy computes them: short polynomials of fused
 * operations. A product of two singles is exact in double precision, so that only the sum is rounded.
 */
const { fround } = Math;
const [s9, s7, s5, s3] = [
  2.8404097065504175e-6, -0.00019856491417158395, 0.008333397097885609, -0.1666666716337204,
];
const [c8, c6, c4, c2] = [2.4372266125283204e-5, -0.001388652017340064, 0.04166661947965622, -0.5];

/** The sine of a single. */
export function sinSingle(x: number): number {
  const z = fround(x * x);
  const sum = fround(fround(fround(s9 * z + s7) * z + s5) * z + s3);
  return fround(fround(sum * z) * x + x);
}

/** The cosine of a single. */
export function cosSingle(x: number): number {
  const z = fround(x * x);
  return fround(fround(fround(fround(c8 * z + c6) * z + c4) * z + c2) * z + 1);
}
