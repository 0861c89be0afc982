import type { PCG64 } from "./pcg64.ts";

/** The high word of a product of two 32-bit words; the first may be signed. */
function highProduct(word: number, b: number): number {
  const a = word >>> 0;
  // The double product is off by at most 2^10, and minus the low word it is a multiple of 2^32.
  return ((a * b - (Math.imul(a, b) >>> 0)) * 2 ** -32 + 0.5) >>> 0;
}

/**
 * Samples an integer in [0, count) for `count` from 1 to 2^53, by D. Lemire's method ("Fast Random Integer
 * Generation in an Interval", 2019), on 32 or 64 bits like NumPy's int64.
 */
export function boundedInteger(bits: PCG64, count: number): number {
  if (count === 1) return 0;
  if (count > 2 ** 32) return bounded64(bits, count);
  if (count === 2 ** 32) return bits.next32();
  let word = bits.nextInt32();
  let low = Math.imul(word, count) >>> 0;
  if (low < count) {
    const threshold = (2 ** 32 - count) % count;
    while (low < threshold) {
      word = bits.nextInt32();
      low = Math.imul(word, count) >>> 0;
    }
  }
  return highProduct(word, count);
}

function bounded64(bits: PCG64, count: number): number {
  const nh = Math.floor(count / 2 ** 32);
  const nl = count >>> 0;
  let threshold = -1;
  for (;;) {
    bits.next64();
    const { hi, lo } = bits;
    // The 128-bit product of hi:lo and nh:nl in words of 32 bits; p0 and p1 are the low half, the rest is the result.
    const p0 = Math.imul(lo, nl) >>> 0;
    const column1 = highProduct(lo, nl) + (Math.imul(lo, nh) >>> 0) + (Math.imul(hi, nl) >>> 0);
    const p1 = column1 >>> 0;
    const column2 =
      Math.floor(column1 / 2 ** 32) + highProduct(lo, nh) + highProduct(hi, nl) + (Math.imul(hi, nh) >>> 0);
    const result = column2 + highProduct(hi, nh) * 2 ** 32;
    if (p1 > nh || (p1 === nh && p0 >= nl)) return result;
    if (threshold < 0) threshold = twoTo64Modulo(count);
    // Below 2^53 here, so one double holds the low half.
    if (p1 * 2 ** 32 + p0 >= threshold) return result;
  }
}

/** 2^64 modulo `count`, by doubling: every step is exact up to 2^53. */
function twoTo64Modulo(count: number): number {
  let rest = 1;
  for (let i = 0; i < 64; i++) {
    rest *= 2;
    if (rest >= count) rest -= count;
  }
  return rest;
}

/** Samples an integer in [0, max] for `max` below 2^32 by rejecting masked words, as NumPy's shuffle does. */
export function maskedInteger(bits: PCG64, max: number): number {
  if (max === 0) return 0;
  const mask = 0xffffffff >>> Math.clz32(max);
  for (;;) {
    const word = (bits.nextInt32() & mask) >>> 0;
    if (word <= max) return word;
  }
}
