import { constants } from "./constants.ts";
import { reduceFar } from "./far.ts";
import { fused } from "./fused.ts";
import { sineTable } from "./sine-table.ts";

/**
 * Sine and cosine to the last bit as the GNU C library gives them since 2018 (version 2.28) on processors with a fused multiplication
 * and addition, which are all of ARM's with 64 bits and Intel's and AMD's since 2013. Its method is IBM's Accurate Mathematical
 * Library's: the angle is reduced to |x| < 0.86, split into k/128, whose sine and cosine are in a table, and a rest, for which two
 * short polynomials will do. It is within 0.52 units in the last place, so right but for one argument in a thousand, and where it is
 * not right, it is wrong here too: this is what Gymnasium's episodes are made of. Slow; `trigonometry.ts` comes here where in doubt.
 */

const { S1, S2, S3, S4, S5, nearZero, sn3, sn5, cs2, cs4, cs6, asItIs, fromRight, reducible } = constants;
const { right, rightRest, part1, part2, part3, part4, perRight, whole, grid } = constants;
const table = sineTable;

/** The sine of `x`. */
export function exactSin(x: number): number {
  const size = Math.abs(x);
  if (size < 2 ** -26) return x;
  if (size < asItIs) return sine(x, 0);
  if (size < fromRight) return Math.sign(x) * cosine(right - size, rightRest);
  return Math.sign(x) * turned(size, 0);
}

/** The cosine of `x`. */
export function exactCos(x: number): number {
  const size = Math.abs(x);
  if (size < 2 ** -27) return 1;
  if (size < asItIs) return cosine(x, 0);
  if (size < fromRight) {
    const rest = right - size;
    const angle = rest + rightRest;
    return sine(angle, rest - angle + rightRest);
  }
  return turned(size, 1);
}

/** The sine of `x`, which is positive, and `quarters` right angles. */
function turned(x: number, quarters: number): number {
  if (x < reducible) {
    const n = fused(x, perRight, whole) - whole;
    const y = fused(-n, part2, fused(-n, part1, x));
    const y3 = fused(-n, part3, y);
    const angle = fused(-n, part4, y3);
    return ofQuadrant(n + quarters, angle, fused(-n, part3, y - y3) + fused(-n, part4, y3 - angle));
  }
  if (!Number.isFinite(x)) return Number.NaN;
  const { quadrant, angle, rest } = reduceFar(x);
  return ofQuadrant(quadrant + quarters, angle, rest);
}

function ofQuadrant(quadrant: number, angle: number, rest: number): number {
  const value = quadrant & 1 ? cosine(angle, rest) : sine(angle, rest);
  return quadrant & 2 ? -value : value;
}

function sine(angle: number, rest: number): number {
  const size = Math.abs(angle);
  if (size < nearZero) {
    const z = angle * angle;
    const polynomial = fused(z, fused(z, fused(z, fused(z, S5, S4), S3), S2), S1);
    return angle + fused(z, fused(angle, polynomial, -0.5 * rest), rest);
  }
  const little = angle > 0 ? rest : -rest;
  const step = size + grid - grid;
  const x = size - step;
  const z = x * x;
  const s = x + fused(x * z, fused(z, sn5, sn3), little);
  const c = fused(x, little, z * fused(z, fused(z, cs6, cs4), cs2));
  const at = step * 512;
  const correction = fused(s, table[at + 2], fused(-c, table[at], fused(s, table[at + 3], table[at + 1])));
  return Math.sign(angle) * (table[at] + correction);
}

function cosine(angle: number, rest: number): number {
  const size = Math.abs(angle);
  const step = size + grid - grid;
  const x = size - step + (angle < 0 ? -rest : rest);
  const z = x * x;
  const s = fused(x * z, fused(z, sn5, sn3), x);
  const c = z * fused(z, fused(z, cs6, cs4), cs2);
  const at = step * 512;
  const correction = fused(-s, table[at], fused(-c, table[at + 2], fused(-s, table[at + 1], table[at + 3])));
  return table[at + 2] + correction;
}
