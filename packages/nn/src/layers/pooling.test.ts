import { compile, random, slice, square, sum, type Tensor, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { pooling, type SetEncoderOptions, setEncoder } from "../index.ts";
import { expectClose, expectGradient } from "../testing.ts";

const there = tensor([
  [true, true, true, false],
  [true, true, false, false],
]);
const tokens = random.normal(random.key(1), [2, 4, 3]);

it("takes the mean, the maximum or the first of the present tokens", () => {
  const of = (kind: "mean" | "max" | "first") =>
    Array.from(pooling({ width: 3, kind }).apply(undefined, { tokens, there }).data);
  const at = (row: number, i: number, f: number) => tokens.data[(row * 4 + i) * 3 + f];
  for (const [row, count] of [
    [0, 3],
    [1, 2],
  ])
    for (let f = 0; f < 3; f++) {
      const all = Array.from({ length: count }, (_, i) => at(row, i, f));
      expect(of("mean")[row * 3 + f]).toBeCloseTo(all.reduce((a, b) => a + b) / count, 5);
      expect(of("max")[row * 3 + f]).toBe(Math.max(...all));
      expect(of("first")[row * 3 + f]).toBe(all[0]);
    }
});

describe.each(["attention", "mean", "max", "class"] as const)("a set encoder with %s pooling", (kind) => {
  const options: SetEncoderOptions = { inputs: 3, width: 4, heads: 2, hidden: 4, pooling: kind };
  const encoder = setEncoder(options);
  const params = encoder.init(random.key(2));
  const made = (x: Tensor, mask = there) => encoder.apply(params, { tokens: x, there: mask });

  it("ignores absent tokens, and the order of all but the first", () => {
    const out = made(tokens);
    expect(out.shape).toEqual([2, 4]);
    const shuffled = Float32Array.from(tokens.data);
    // The second and third of the first row are swapped, and the absent token changes.
    for (let f = 0; f < 3; f++) {
      [shuffled[3 + f], shuffled[6 + f]] = [shuffled[6 + f], shuffled[3 + f]];
      shuffled[9 + f] = 100;
    }
    expectClose(made(tensor(shuffled).reshape([2, 4, 3])), out, 1e-5);
    const short = made(slice(tokens, [null, [0, 3]]), slice(there, [null, [0, 3]]));
    expectClose(short, out, 1e-5);
  });

  it("has the gradient of finite differences, and is the same compiled", () => {
    expectGradient((p) => sum(square(encoder.apply(p, { tokens, there }))), params);
    expectClose(compile((x: Tensor) => made(x))(tokens), made(tokens), 1e-5);
  });
});
