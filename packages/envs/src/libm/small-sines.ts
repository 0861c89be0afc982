import { cosOf, sinOf } from "./trigonometry.ts";

/** Taylor's coefficients of the sine: for angles so small the next one is beyond all bits. */
const S1 = -1 / 6;
const S2 = 1 / 120;
const S3 = -1 / 5040;
const S4 = 1 / 362880;
const S5 = -1 / 39916800;
/** fdlibm's coefficients of the cosine (k_cos.c, Sun Microsystems, 1993). */
const C1 = 4.16666666666666019037e-2;
const C2 = -1.38888888888741095749e-3;
const C3 = 2.48015872894767294178e-5;
const C4 = -2.75573143513906633035e-7;
const C5 = 2.0875723212981748279e-9;
/**
 * How far what is added to the angle may be from what the library adds, by powers of the angle: a few units in the last place of that
 * term, and the table that the library uses from 0.126 on.
 */
const [sineShare, tableBegins, sineTable] = [2 ** -52.5, 2 ** -47.3, 2 ** -59.3];
/** The same for what is taken from 1: what this cosine loses in proportion to it, and what the library's does. */
const [cosineShare, cosineRest] = [2 ** -51.9, 2 ** -62];

/**
 * Writes the sines and cosines of `count` angles below 12° as `sinOf` and `cosOf` give them; the angles are `angles[at]`, `angles[at + 4]` …. A polynomial is
 * right but where rounding is in doubt (1 in 30). Those rows are noted and done afterwards: a call that hardly ever happens still
 * costs a loop its registers, which is as much as all of the loop's arithmetic. Returns how many they were.
 */
export function smallSines(
  angles: Float64Array,
  sines: Float64Array,
  cosines: Float64Array,
  doubtful: readonly [sines: Int32Array, cosines: Int32Array],
  at: number,
  count: number,
): number {
  const [sinesInDoubt, cosinesInDoubt] = doubtful;
  let [badSines, badCosines] = [0, 0];
  for (let i = 0; i < count; i++) {
    const x = angles[i * 4 + at];
    const z = x * x;
    const w = z * z;
    const more = x * z * (S1 + z * S2 + w * (S3 + z * S4 + w * S5));
    const apart = Math.abs(x) * z * sineShare + Math.min(w * tableBegins, sineTable);
    const s = x + (more + apart);
    const less = w * (C1 + z * C2 + w * (C3 + z * C4 + w * C5)) - 0.5 * z;
    const wide = less * cosineShare - cosineRest;
    const c = 1 + (less - wide);
    sines[i] = s;
    cosines[i] = c;
    // Not branches: they would be mispredicted.
    sinesInDoubt[badSines] = i;
    badSines += Number(s !== x + (more - apart));
    cosinesInDoubt[badCosines] = i;
    badCosines += Number(c !== 1 + (less + wide));
  }
  for (let d = 0; d < badSines; d++) {
    const i = sinesInDoubt[d];
    sines[i] = angles[i * 4 + at];
    sinOf(sines, i, i);
  }
  for (let d = 0; d < badCosines; d++) {
    const i = cosinesInDoubt[d];
    cosines[i] = angles[i * 4 + at];
    cosOf(cosines, i, i);
  }
  return badSines + badCosines;
}
