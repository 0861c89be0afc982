import { describe, expect, it } from "vitest";
import { boundedInteger, maskedInteger } from "./bounded-integers.ts";
import { PCG64 } from "./pcg64.ts";

/** Lemire's method in exact arithmetic, on words of the given size. */
function exactly(bits: PCG64, count: bigint, size: 32n | 64n): number {
  for (;;) {
    let word: bigint;
    if (size === 32n) word = BigInt(bits.next32());
    else {
      bits.next64();
      word = (BigInt(bits.hi) << 32n) | BigInt(bits.lo);
    }
    const product = word * count;
    const low = product & ((1n << size) - 1n);
    if (low >= (1n << size) % count) return Number(product >> size);
  }
}

describe("boundedInteger", () => {
  // 3 * 2^30 and the like reject often; 2^32 and its neighbours are where the method changes.
  it.each([2, 3, 1000, 3 * 2 ** 30, 2 ** 31 + 1, 2 ** 32 - 1, 2 ** 32])(
    "is exact on 32 bits for %i",
    (count) => {
      const bits = new PCG64(5);
      const reference = new PCG64(5);
      for (let i = 0; i < 2000; i++) {
        expect(boundedInteger(bits, count)).toBe(exactly(reference, BigInt(count), 32n));
      }
    },
  );

  it.each([2 ** 32 + 1, 3 * 2 ** 40 + 7, 3 * 2 ** 51, 2 ** 53 - 1, 2 ** 53])(
    "is exact on 64 bits for %i",
    (count) => {
      const bits = new PCG64(6);
      const reference = new PCG64(6);
      for (let i = 0; i < 5000; i++) {
        expect(boundedInteger(bits, count)).toBe(exactly(reference, BigInt(count), 64n));
      }
    },
  );

  it("uses no random numbers if there is one choice", () => {
    const bits = new PCG64(5);
    expect(boundedInteger(bits, 1)).toBe(0);
    expect(maskedInteger(bits, 0)).toBe(0);
    expect(bits.save()).toEqual(new PCG64(5).save());
  });
});
