import { constants } from "./constants.ts";
import { fuse } from "./fma.ts";
import { reduceFar } from "./large-angles.ts";
import { sineTable } from "./sine-table.ts";

/**
 * Sine and cosine, bit-identical to the GNU C library since 2018 (version 2.28) on processors with fused
 * multiply-add, which are all 64-bit ARM processors and Intel's and AMD's since 2013. The method is that of IBM's
 * Accurate Mathematical Library: the angle is reduced to |x| < 0.86, split into k/128, whose sine and cosine are
 * in a table, and a remainder, for which two short polynomials suffice. The error is within 0.52 units in the last
 * place, so the result is correctly rounded except for one argument in a thousand, and those errors are reproduced
 * here too: Gymnasium's episodes depend on them. Slow; `trigonometry.ts` falls back to it where in doubt.
 */

const { nearZero, asItIs, fromRight, reducible, right, rightRest, whole, grid } = constants;
const { part1, part2, part3, part4 } = constants;
const table = sineTable;

/** Registers: an angle and its low part, then intermediate results. */
const r = new Float64Array(40);
const [angle, rest, x, z, s, c, cube, a, b, n, result] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
/** Registers of constants, and of a row of the table. */
const [S1, S2, S3, S4, S5, sn3, sn5, cs2, cs4, cs6] = [16, 17, 18, 19, 20, 21, 22, 23, 24, 25];
const [perRight, magic] = [26, 27];
const [sine, sineRest, cosine, cosineRest] = [32, 33, 34, 35];
r.set(
  [
    constants.S1,
    constants.S2,
    constants.S3,
    constants.S4,
    constants.S5,
    constants.sn3,
    constants.sn5,
    constants.cs2,
    constants.cs4,
    constants.cs6,
  ],
  S1,
);
r.set([constants.perRight, whole], perRight);

/** Writes the sine of `io[from]` plus `quarters` times π/2 to `io[to]`. */
export function exact(io: Float64Array, from: number, to: number, quarters: 0 | 1): void {
  const given = io[from];
  const size = Math.abs(given);
  if (size < (quarters ? 2 ** -27 : 2 ** -26)) {
    io[to] = quarters ? 1 : given;
    return;
  }
  let quadrant: number = quarters;
  r[rest] = 0;
  if (size < asItIs) r[angle] = size;
  else if (size < fromRight) {
    r[angle] = right - size;
    r[rest] = rightRest;
    quadrant = 1 - quarters;
    if (quarters) {
      r[a] = r[angle];
      r[angle] = r[a] + rightRest;
      r[rest] = r[a] - r[angle] + rightRest;
    }
  } else if (size < reducible) {
    r[x] = size;
    quadrant += reduce();
  } else if (size < Number.POSITIVE_INFINITY) quadrant += reduceFar(size, r);
  else r[angle] = Number.NaN;
  if (quadrant & 1) cosineOf();
  else sineOf();
  // The sine is odd, the cosine even.
  const negative = ((quadrant & 2) !== 0) !== (given < 0 && !quarters);
  io[to] = negative ? -r[result] : r[result];
}

/** Subtracts multiples of π/2 from `x`; returns their number modulo 4. */
function reduce(): number {
  fuse(r, n, x, perRight, magic);
  const turns = r[n] - whole;
  // Products with the first three parts are exact, and the rounding error of the fourth is below the last bit: no
  // fused operation is needed.
  const y = r[x] - turns * part1 - turns * part2;
  const y3 = y - turns * part3;
  const y4 = y3 - turns * part4;
  r[angle] = y4;
  r[rest] = y - y3 - turns * part3 + (y3 - y4 - turns * part4);
  return turns & 3;
}

function sineOf(): void {
  const size = Math.abs(r[angle]);
  if (size < nearZero) {
    r[z] = r[angle] * r[angle];
    fuse(r, a, z, S5, S4);
    fuse(r, a, z, a, S3);
    fuse(r, a, z, a, S2);
    fuse(r, a, z, a, S1);
    r[b] = -0.5 * r[rest];
    fuse(r, a, angle, a, b);
    fuse(r, a, z, a, rest);
    r[result] = r[angle] + r[a];
    return;
  }
  if (r[angle] <= 0) r[rest] = -r[rest];
  const step = size + grid - grid;
  lookUp((step * 512) | 0);
  r[x] = size - step;
  polynomials();
  fuse(r, a, cube, a, rest);
  r[s] = r[x] + r[a];
  fuse(r, c, x, rest, c);
  fuse(r, a, s, cosineRest, sineRest);
  r[c] = -r[c];
  fuse(r, a, c, sine, a);
  fuse(r, a, s, cosine, a);
  r[result] = r[angle] > 0 ? r[sine] + r[a] : -(r[sine] + r[a]);
}

function cosineOf(): void {
  const size = Math.abs(r[angle]);
  const step = size + grid - grid;
  lookUp((step * 512) | 0);
  r[x] = size - step + (r[angle] < 0 ? -r[rest] : r[rest]);
  polynomials();
  fuse(r, s, cube, a, x);
  r[s] = -r[s];
  r[c] = -r[c];
  fuse(r, a, s, sineRest, cosineRest);
  fuse(r, a, c, cosine, a);
  fuse(r, a, s, sine, a);
  r[result] = r[cosine] + r[a];
}

/** Of the reduced angle: its cube, the sine's polynomial in `a`, and in `c` one minus the cosine. */
function polynomials(): void {
  r[z] = r[x] * r[x];
  r[cube] = r[x] * r[z];
  fuse(r, a, z, sn5, sn3);
  fuse(r, c, z, cs6, cs4);
  fuse(r, c, z, c, cs2);
  r[c] = r[z] * r[c];
}

function lookUp(at: number): void {
  for (let i = 0; i < 4; i++) r[sine + i] = table[at + i];
}
