import { constants } from "./constants.ts";
import { exactCos, exactSin } from "./exact.ts";
import { sineTable } from "./sine-table.ts";

/**
 * The sine and cosine of `exact.ts`, fast: the same formulas without fused operations, as a large part and a correction. What is
 * missing is some units in the last place of the correction, and that matters only where the sum is about to be rounded the other
 * way: the correction is taken a little larger and a little smaller, and if the sums differ (1 in 30 on average), the slow way
 * decides (Ziv, 1991).
 */
const { S1, S2, S3, S4, S5, nearZero, sn3, sn5, cs2, cs4, cs6, asItIs, fromRight, reducible } = constants;
const { right, rightRest, part1, part2, part3, part4, perRight, whole, grid } = constants;
const table = sineTable;
const larger = 1 + 2 ** -51;
const smaller = 1 - 2 ** -51;

/** The sine of `x`. */
export function sin(x: number): number {
  const size = Math.abs(x);
  let value = Number.NaN;
  if (size < nearZero && size > 2 ** -26) {
    const z = x * x;
    // The polynomial's last sum is where a fused operation may tell; the products after it are the same.
    const p = (((S5 * z + S4) * z + S3) * z + S2) * z;
    const q = S1 + p * larger;
    if (q === S1 + p * smaller) return x + q * x * z;
  } else if (size < asItIs) value = sine(x, 0);
  else if (size < fromRight) {
    value = cosine(right - size, rightRest);
    if (x < 0) value = -value;
  } else value = turned(x, 0);
  // Not equal to itself: NaN, which means in doubt.
  return value === value ? value : exactSin(x);
}

/** The cosine of `x`. */
export function cos(x: number): number {
  const size = Math.abs(x);
  let value = Number.NaN;
  if (size < asItIs) value = cosine(x, 0);
  else if (size < fromRight) {
    const rest = right - size;
    const angle = rest + rightRest;
    value = sine(angle, rest - angle + rightRest);
  } else value = turned(x, 1);
  return value === value ? value : exactCos(x);
}

/** The sine of `x` and `quarters` right angles, or NaN. */
function turned(x: number, quarters: number): number {
  if (!(x < reducible && x > -reducible)) return Number.NaN;
  const n = x * perRight + whole - whole;
  const y = x - n * part1 - n * part2;
  const y3 = y - n * part3;
  const angle = y3 - n * part4;
  const rest = y - y3 - n * part3 + (y3 - angle - n * part4);
  const quadrant = (n + quarters) & 3;
  const value = quadrant & 1 ? cosine(angle, rest) : sine(angle, rest);
  return quadrant & 2 ? -value : value;
}

/** The sine of an angle below 0.86 and a rest, or NaN where its last bit is in doubt. */
function sine(angle: number, rest: number): number {
  const size = Math.abs(angle);
  if (size < nearZero) {
    const z = angle * angle;
    const correction = ((((S5 * z + S4) * z + S3) * z + S2) * z + S1) * angle * z + (rest - 0.5 * rest * z);
    const value = angle + correction * larger;
    return value === angle + correction * smaller && size > 2 ** -26 ? value : Number.NaN;
  }
  const little = angle > 0 ? rest : -rest;
  const step = size + grid - grid;
  const x = size - step;
  const z = x * x;
  const s = x + (little + x * z * (sn3 + z * sn5));
  const c = x * little + z * (cs2 + z * (cs4 + z * cs6));
  const at = (step * 512) | 0;
  const from = table[at];
  const correction = table[at + 1] + s * table[at + 3] - from * c + table[at + 2] * s;
  const value = from + correction * larger;
  if (value !== from + correction * smaller) return Number.NaN;
  return angle > 0 ? value : -value;
}

/** The cosine of an angle below 0.86 and a rest, or NaN where its last bit is in doubt. */
function cosine(angle: number, rest: number): number {
  const size = Math.abs(angle);
  const step = size + grid - grid;
  const x = size - step + (angle < 0 ? -rest : rest);
  const z = x * x;
  const s = x + x * z * (sn3 + z * sn5);
  const c = z * (cs2 + z * (cs4 + z * cs6));
  const at = (step * 512) | 0;
  const from = table[at + 2];
  const correction = table[at + 3] - s * table[at + 1] - from * c - table[at] * s;
  const value = from + correction * larger;
  return value === from + correction * smaller ? value : Number.NaN;
}

/** The sine of an angle between -0.85 and 0.85, where nothing has to be reduced. */
export function sinSmall(x: number): number {
  const z = x * x;
  const p = (((S5 * z + S4) * z + S3) * z + S2) * z;
  const q = S1 + p * larger;
  if (q === S1 + p * smaller && z < 0.015876 && z > 1e-15) return x + q * x * z;
  return sin(x);
}

/** The cosine of an angle between -0.85 and 0.85. */
export function cosSmall(x: number): number {
  const value = cosine(x, 0);
  return value === value ? value : exactCos(x);
}
