import { constants } from "./constants.ts";
import { exact } from "./exact.ts";
import { sineTable } from "./sine-table.ts";

/**
 * The sine and cosine of `exact.ts`, fast: the same formulas without fused operations, as a high part and a
 * correction. The error is a few units in the last place of the correction, which matters only where the sum is
 * near a rounding boundary: a slightly larger and a slightly smaller correction are added, and if the sums differ
 * (1 in 30 on average), the slow method decides (Ziv, 1991). Angles and results are in an array: V8 would allocate
 * every number passed to or returned from a function.
 */
const { S1, S2, S3, S4, S5, nearZero, sn3, sn5, cs2, cs4, cs6, asItIs, fromRight, reducible } = constants;
const { right, rightRest, part1, part2, part3, part4, perRight, whole, grid } = constants;
const table = sineTable;
const larger = 1 + 2 ** -51;
const smaller = 1 - 2 ** -51;

/** Writes the sine of `io[from]` to `io[to]`. */
export function sinOf(io: Float64Array, from: number, to: number): void {
  evaluate(io, from, to, 0);
}

/** Writes the cosine of `io[from]` to `io[to]`. */
export function cosOf(io: Float64Array, from: number, to: number): void {
  evaluate(io, from, to, 1);
}

/** The sine of an angle plus `quarters` times π/2. */
function evaluate(io: Float64Array, from: number, to: number, quarters: 0 | 1): void {
  const given = io[from];
  const far = Math.abs(given);
  let angle = given;
  let rest = 0;
  let quadrant: number = quarters;
  if (!(far < asItIs)) {
    if (far < fromRight) {
      const y = right - far;
      angle = y + rightRest;
      rest = y - angle + rightRest;
      quadrant = quarters ? 0 : given < 0 ? 3 : 1;
    } else if (far < reducible) {
      const n = given * perRight + whole - whole;
      const y = given - n * part1 - n * part2;
      const y3 = y - n * part3;
      angle = y3 - n * part4;
      rest = y - y3 - n * part3 + (y3 - angle - n * part4);
      quadrant = (n + quarters) & 3;
    } else angle = Number.NaN;
  }
  const size = Math.abs(angle);
  let start = angle;
  let correction = 0;
  if ((quadrant & 1) === 0 && size < nearZero) {
    const z = angle * angle;
    correction = ((((S5 * z + S4) * z + S3) * z + S2) * z + S1) * angle * z + (rest - 0.5 * rest * z);
  } else {
    const sign = angle < 0 ? -1 : 1;
    const step = size + grid - grid;
    const x = size - step + sign * rest;
    const z = x * x;
    const s = x + x * z * (sn3 + z * sn5);
    const c = z * (cs2 + z * (cs4 + z * cs6));
    const at = (step * 512) | 0;
    if (quadrant & 1) {
      start = table[at + 2];
      correction = table[at + 3] - s * table[at + 1] - start * c - table[at] * s;
    } else {
      start = sign * table[at];
      correction = sign * (table[at + 1] + s * table[at + 3] - table[at] * c + table[at + 2] * s);
    }
  }
  const value = start + correction * larger;
  if (value === start + correction * smaller && far > 2 ** -26) io[to] = quadrant & 2 ? -value : value;
  else exact(io, from, to, quarters);
}
