/** Binary places of π: a double has up to 1024 digits before the point, and 170 are to be right behind it. */
const places = 1200n;

/** A positive angle less the nearest multiple of a right angle, in whole numbers: slow and exact, for angles beyond a hundred million. */
export function reduceFar(x: number): { quadrant: number; angle: number; rest: number } {
  // A double this large has at most 26 digits behind the point.
  const fixed = ((BigInt(Math.floor(x)) << 26n) + BigInt((x % 1) * 2 ** 26)) << (places - 26n);
  const right = pi() >> 1n;
  const count = (2n * fixed + right) / (2n * right);
  const remainder = fixed - count * right;
  const angle = toNumber(remainder);
  const rest = toNumber(remainder - (BigInt(angle * 2 ** 200) << (places - 200n)));
  return { quadrant: Number(count & 3n), angle, rest };
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
