/** Binary places of π: a double has up to 1024 bits before the point, and 170 must be right after it. */
const places = 1200n;

/**
 * A positive angle minus the nearest multiple of π/2, in integer arithmetic: slow and exact, for angles beyond a
 * hundred million. Writes the remainder and its low part to `out`; returns the multiple modulo 4.
 */
export function reduceFar(x: number, out: Float64Array): number {
  // A double this large has at most 26 bits after the point.
  const fixed = ((BigInt(Math.floor(x)) << 26n) + BigInt((x % 1) * 2 ** 26)) << (places - 26n);
  const right = pi() >> 1n;
  const count = (2n * fixed + right) / (2n * right);
  const remainder = fixed - count * right;
  out[0] = toNumber(remainder);
  out[1] = toNumber(remainder - (BigInt(out[0] * 2 ** 200) << (places - 200n)));
  return Number(count & 3n);
}

function toNumber(fixed: bigint): number {
  return Number(fixed >> (places - 400n)) * 2 ** -400;
}

let known: bigint | undefined;

/** π by Machin's formula: 16 arctan(1/5) - 4 arctan(1/239). */
function pi(): bigint {
  known ??= 16n * arctan(5n) - 4n * arctan(239n);
  return known;
}

function arctan(inverse: bigint): bigint {
  let power = (1n << places) / inverse;
  let sum = 0n;
  for (let n = 1n; power !== 0n; n += 2n, power /= inverse * inverse)
    sum += n & 2n ? -(power / n) : power / n;
  return sum;
}
