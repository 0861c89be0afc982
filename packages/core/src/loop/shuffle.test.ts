import { compile, random, type Tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { shuffled } from "./shuffle.ts";

const order = (seed: number, n: number) =>
  Array.from(compile((k: Tensor) => shuffled(k, n))(random.key(seed)).data);

describe("shuffled", () => {
  it.each([1, 2, 6, 8, 512, 1000, 4096])("has every position of %i once", (n) => {
    expect(order(3, n).sort((a, b) => a - b)).toEqual(Array.from({ length: n }, (_, i) => i));
  });
  it("differs from key to key and repeats with the same one", () => {
    expect(order(1, 512)).not.toEqual(order(2, 512));
    expect(order(1, 512)).toEqual(order(1, 512));
  });
  it("sends each position everywhere equally often", () => {
    const n = 16;
    const counts = Array.from({ length: n }, () => new Array<number>(n).fill(0));
    const many = compile((k: Tensor) => shuffled(k, n));
    for (let seed = 0; seed < 1600; seed++)
      many(random.key(seed)).data.forEach((to, from) => counts[from][to]++);
    // Chi-square with 225 degrees of freedom: mean 225, deviation 21.
    const chi = counts.flat().reduce((s, c) => s + (c - 100) ** 2 / 100, 0);
    expect(chi).toBeLessThan(330);
    // Neighbours should not stay neighbours: about 1 in 16 pairs are one apart by chance (both ways: 2/16).
    let close = 0;
    for (let seed = 0; seed < 300; seed++) {
      const o = Array.from(many(random.key(seed)).data);
      for (let i = 1; i < n; i++) close += Math.abs(o[i] - o[i - 1]) === 1 ? 1 : 0;
    }
    expect(close / (300 * (n - 1))).toBeLessThan(0.2);
  });
});
