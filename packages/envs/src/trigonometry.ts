/**
 * Sine and cosine without a call: `Math.sin` leaves compiled code, these are inlined into the loop over the rows. The angle is
 * reduced to |x| ≤ π/4 in the two steps of Cody and Waite, where fdlibm's polynomials (k_sin.c, k_cos.c and the constants of
 * e_rem_pio2.c, Sun Microsystems, 1993) are right to one unit in the last place.
 */
const S1 = -1.66666666666666324348e-1;
const S2 = 8.33333333332248946124e-3;
const S3 = -1.98412698298579493134e-4;
const S4 = 2.75573137070700676789e-6;
const S5 = -2.50507602534068634195e-8;
const S6 = 1.58969099521155010221e-10;
const C1 = 4.16666666666666019037e-2;
const C2 = -1.38888888888741095749e-3;
const C3 = 2.48015872894767294178e-5;
const C4 = -2.75573143513906633035e-7;
const C5 = 2.0875723212981748279e-9;
const C6 = -1.13596475577881948265e-11;

/** π/2 in two parts; the first has 33 bits, so its small multiples are exact. */
const rightAngle = 1.57079632673412561417;
const rightAngleRest = 6.07710050650619224932e-11;
/** Beyond this the two parts are too few. */
const far = 1e5;

/** The sine of an angle between -π/4 and π/4. Odd and even powers are summed apart, which halves the chain of operations. */
export function sinNear(x: number): number {
  const z = x * x;
  const w = z * z;
  return x + x * z * (S1 + z * S2 + w * (S3 + z * S4 + w * (S5 + z * S6)));
}

/** The cosine of an angle between -π/4 and π/4. */
export function cosNear(x: number): number {
  const z = x * x;
  const w = z * z;
  return 1 - 0.5 * z + w * (C1 + z * C2 + w * (C3 + z * C4 + w * (C5 + z * C6)));
}

/** The sine of an angle between -1/4 and 1/4, where the last term of the polynomial is below the last place. */
export function sinSmall(x: number): number {
  const z = x * x;
  const w = z * z;
  return x + x * z * (S1 + z * S2 + w * (S3 + z * S4 + w * S5));
}

/** The cosine of an angle between -1/4 and 1/4. */
export function cosSmall(x: number): number {
  const z = x * x;
  const w = z * z;
  return 1 - 0.5 * z + w * (C1 + z * C2 + w * (C3 + z * C4));
}

/** What sine and cosine of the remainder are multiplied by, for each number of right angles modulo 4. Faster than a choice. */
const same = Float64Array.of(1, 0, -1, 0);
const other = Float64Array.of(0, 1, 0, -1);

/** Writes the sine of `x` to `out[at]` and its cosine to `out[at + 1]`. */
export function sinCos(x: number, out: Float64Array, at: number): void {
  if (!(x < far && x > -far)) {
    out[at] = Math.sin(x);
    out[at + 1] = Math.cos(x);
    return;
  }
  const n = Math.floor(x * (2 / Math.PI) + 0.5);
  const r = x - n * rightAngle - n * rightAngleRest;
  const s = sinNear(r);
  const c = cosNear(r);
  const a = same[n & 3];
  const b = other[n & 3];
  out[at] = a * s + b * c;
  out[at + 1] = a * c - b * s;
}

/** The cosine of `x`. */
export function cos(x: number): number {
  if (!(x < far && x > -far)) return Math.cos(x);
  const n = Math.floor(x * (2 / Math.PI) + 0.5);
  const r = x - n * rightAngle - n * rightAngleRest;
  return same[n & 3] * cosNear(r) - other[n & 3] * sinNear(r);
}
