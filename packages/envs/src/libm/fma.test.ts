import { defaultRng } from "@reins/core/random";
import { expect, test } from "vitest";
import { fuse } from "./fma.ts";

function fused(...numbers: [a: number, b: number, c: number]): number {
  const r = Float64Array.of(0, ...numbers);
  fuse(r, 0, 1, 2, 3);
  return r[0];
}

/** a × b + c in integer arithmetic, rounded once. */
function exactly(a: number, b: number, c: number): number {
  const places = 400;
  const whole = (x: number) => BigInt(x * 2 ** 200);
  const sum = whole(a) * whole(b) + (whole(c) << 200n);
  return Number(sum) * 2 ** -places;
}

test("a product and a sum are rounded once", () => {
  const random = defaultRng(1);
  const number = () => random.uniform(-1, 1) * 2 ** random.integers(-30, 10);
  for (let i = 0; i < 20000; i++) {
    const [a, b, c] = [number(), number(), number()];
    expect(fused(a, b, c)).toBe(exactly(a, b, c));
    // The sum almost cancels, and the low part of the product is all that is left.
    expect(fused(a, b, -a * b)).toBe(exactly(a, b, -a * b));
  }
});

test("next to a tie the smallest part decides", () => {
  // 1 + 2⁻⁵³ is a tie, which rounds to 1; anything more must round up, anything less down.
  for (const little of [2 ** -80, -(2 ** -80), 2 ** -105, -(2 ** -105)])
    for (const sign of [1, -1]) {
      const a = sign * (1 + 2 ** -26);
      const b = 1 - 2 ** -26;
      const c = sign * (2 ** -52 + 2 ** -53 + little);
      expect(fused(a, b, c)).toBe(exactly(a, b, c));
      expect(fused(2 ** -53 + little, sign, sign)).toBe(exactly(2 ** -53 + little, sign, sign));
    }
});
