import { constants } from "./constants.ts";

const { S1, S2, S3, S4, S5 } = constants;
/** fdlibm's coefficients of the cosine (k_cos.c, Sun Microsystems, 1993). */
const C1 = 4.16666666666666019037e-2;
const C2 = -1.38888888888741095749e-3;
const C3 = 2.48015872894767294178e-5;
const C4 = -2.75573143513906633035e-7;
const C5 = 2.0875723212981748279e-9;
/** How far the sine here may be from the library's before rounding, by z × 64: below 1 both are one polynomial, whose last sum is tested. */
const apart = Float64Array.of(0, 2 ** -59.3, 2 ** -59.3, 2 ** -59.3);
/** The same for the cosine: what this one loses in proportion to 1 - cos, and what the library's does. */
const [cosineShare, cosineRest] = [2 ** -51.9, 2 ** -62];
const larger = 1 + 2 ** -51;
const smaller = 1 - 2 ** -51;

/**
 * The sine of an angle below 12° as `sinOf` gives it, or NaN where rounding is in doubt (1 in 30): then ask `sinOf`, but outside the loop.
 * A call that hardly ever happens still costs a loop its registers, which is as much as all of the loop's arithmetic.
 */
export function smallSin(x: number): number {
  const z = x * x;
  const w = z * z;
  const p = z * (S2 + z * S3 + w * (S4 + z * S5));
  const q = S1 + p * larger;
  const t = q * x * z;
  const far = apart[(z * 64) & 3];
  const s = x + (t + far);
  return q === S1 + p * smaller && s === x + (t - far) ? s : Number.NaN;
}

/** The cosine of an angle below 12° as `cosOf` gives it, or NaN where rounding is in doubt. */
export function smallCos(x: number): number {
  const z = x * x;
  const w = z * z;
  const less = w * (C1 + z * C2 + w * (C3 + z * C4 + w * C5)) - 0.5 * z;
  const wide = less * cosineShare - cosineRest;
  const c = 1 + (less - wide);
  return c === 1 + (less + wide) ? c : Number.NaN;
}
