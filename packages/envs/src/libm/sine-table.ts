/** Binary places of the fixed-point numbers here: two doubles and a reserve. */
const places = 160n;
const one = 1n << places;

/**
 * Sine and cosine of k/128 for k from 0 to 109, each as a double and its low part: four numbers per row. They are
 * Taylor sums in integer arithmetic, so that no table is typed in and every machine has the same values.
 */
export const sineTable = new Float64Array(110 * 4);
for (let k = 0; k < 110; k++) {
  const { sine, cosine } = series((BigInt(k) * one) / 128n);
  inTwo(sine, k * 4);
  inTwo(cosine, k * 4 + 2);
}

/** Sine and cosine of an angle in fixed point, between 0 and 1. */
export function series(x: bigint): { sine: bigint; cosine: bigint } {
  let term = one;
  let sine = 0n;
  let cosine = 0n;
  for (let n = 0n; term !== 0n; n++, term = (term * x) / one / n) {
    const signed = n & 2n ? -term : term;
    if (n & 1n) sine += signed;
    else cosine += signed;
  }
  return { sine, cosine };
}

/** Writes the nearest double and the one nearest to the remainder. `Number` rounds whole numbers to nearest. */
function inTwo(fixed: bigint, at: number): void {
  const scale = 2 ** -Number(places);
  const first = Number(fixed);
  sineTable[at] = first * scale;
  sineTable[at + 1] = Number(fixed - BigInt(first)) * scale;
}
