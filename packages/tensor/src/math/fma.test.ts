import { describe, expect, it } from "vitest";
import { Generator } from "../testing/generator.ts";
import { specialFloats } from "../testing/special-values.ts";
import { fused } from "./fma.ts";

const view = new DataView(new ArrayBuffer(4));
const fromBits = (n: number) => {
  view.setUint32(0, n);
  return view.getFloat32(0);
};

/** A finite number as an integer times 2 to the power of -149. */
function scaled(x: number): bigint {
  view.setFloat32(0, x);
  const n = view.getUint32(0);
  const exponent = (n >>> 23) & 255;
  const size =
    BigInt(exponent === 0 ? n & 0x7fffff : (n & 0x7fffff) | 0x800000) << BigInt(Math.max(0, exponent - 1));
  return n >>> 31 ? -size : size;
}

/** The nearest single-precision number to n · 2⁻²⁹⁸, ties to even, by trying the two candidates. */
function nearest(n: bigint): number {
  if (n === 0n) return 0;
  const size = n < 0n ? -n : n;
  // The largest number that is not above it, by bisection over the bit patterns, which are ordered.
  let [low, high] = [0, 0x7f800000];
  const at = (k: number) => (k === 0x7f800000 ? 1n << 426n : scaled(fromBits(k)) << 149n);
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (at(middle) <= size) low = middle;
    else high = middle;
  }
  const [below, above] = [size - at(low), at(high) - size];
  const k = below < above ? low : above < below ? high : low % 2 === 0 ? low : high;
  return n < 0n ? -fromBits(k) : fromBits(k);
}

const exact = (a: number, b: number, c: number) => scaled(a) * scaled(b) + (scaled(c) << 149n);

describe("fused multiply-add", () => {
  it("rounds once, like exact integer arithmetic that is rounded at the end", () => {
    const r = new Generator(7);
    const random = () => fromBits(r.whole(0, 0xffffffff));
    /** Products and sums that nearly cancel, where rounding twice goes wrong. */
    const near = () => {
      const [a, b] = [r.between(1, 2), r.between(1, 2)].map(Math.fround);
      const shift = 2 ** r.whole(-60, 60);
      return [a, b, Math.fround(r.between(-2, 2) * shift)];
    };
    for (let i = 0; i < 30_000; i++) {
      const [a, b, c] = i % 2 ? near() : [random(), random(), random()];
      if (![a, b, c].every(Number.isFinite)) continue;
      const sum = exact(a, b, c);
      if (sum === 0n) continue;
      const want = nearest(sum);
      if (!Object.is(fused(a, b, c), want))
        throw new Error(`fused(${a}, ${b}, ${c}) is ${fused(a, b, c)} instead of ${want}`);
    }
  });

  it("does not round twice", () => {
    // The product is 1 + 2⁻²⁴, halfway between two numbers; the addend is below double precision next to it.
    const [a, b] = [1 + 2 ** -12, 1 - 2 ** -12 + 2 ** -23].map(Math.fround);
    const c = Math.fround(2 ** -24 - (a * b - 1));
    for (const tiny of [2 ** -100, -(2 ** -100)]) {
      const sum = exact(a, b, Math.fround(c + tiny));
      expect(fused(a, b, Math.fround(c + tiny))).toBe(nearest(sum));
    }
    expect(fused(1, 1 + 2 ** -23, 2 ** -24)).toBe(1 + 2 ** -22);
    expect(fused(2 ** 12, 2 ** 12 + 2 ** -11, 2 ** -60)).toBe(
      nearest(exact(2 ** 12, 2 ** 12 + 2 ** -11, 2 ** -60)),
    );
  });

  it("handles special values like plain arithmetic", () => {
    const values = specialFloats(2);
    for (const a of values)
      for (const b of values)
        for (const c of [0, -0, 1, Infinity, -Infinity, NaN, 1e-45, -3e38]) {
          const f = Math.fround(c);
          if (Number.isFinite(a) && Number.isFinite(b) && Number.isFinite(f) && exact(a, b, f) !== 0n)
            expect(fused(a, b, f)).toBe(nearest(exact(a, b, f)));
          else expect(fused(a, b, f)).toBe(Math.fround(a * b + f));
        }
  });
});
