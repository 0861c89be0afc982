import { random } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { defaultRng } from "./numpy/index.ts";
import { seedOf, stream } from "./stream.ts";
import { threefry } from "./threefry.ts";

describe("threefry", () => {
  // The known answers of Random123, `kat_vectors`.
  it.each([
    [
      [0, 0],
      [0, 0],
      [0x6b200159, 0x99ba4efe],
    ],
    [
      [0xffffffff, 0xffffffff],
      [0xffffffff, 0xffffffff],
      [0x1cb996fc, 0xbb002be7],
    ],
    [
      [0x13198a2e, 0x03707344],
      [0x243f6a88, 0x85a308d3],
      [0xc4923a9c, 0x483df7a0],
    ],
  ])("with key %o encrypts %o as published", (key, counter, result) => {
    const words: [number, number] = [key[0], key[1]];
    threefry(words, counter[0], counter[1]);
    expect(words).toEqual(result);
  });
});

describe("stream", () => {
  it("gives fixed children", () => {
    expect([
      stream(0, "environments"),
      stream(1, "environments"),
      stream(0, "policy"),
      stream(0, "row", 1),
      stream(2 ** 53 - 1, "a name of several blocks", 2 ** 53 - 1),
      stream(7, "Übung"),
    ]).toMatchInlineSnapshot(`
      [
        6620435332388596,
        6977603547282318,
        6109021628577170,
        4898336870938242,
        5917950281014513,
        1918427202852407,
      ]
    `);
  });

  it("gives integers that keys and generators accept directly", () => {
    for (let i = 0; i < 1000; i++) {
      const child = stream(i, "policy", 3 * i);
      expect(Number.isSafeInteger(child) && child >= 0).toBe(true);
      expect(seedOf(random.key(child))).toBe(child);
      expect(() => defaultRng(child)).not.toThrow();
    }
  });

  it("has no duplicates in a million", () => {
    const names = [
      "environments",
      "policy",
      "row",
      "tasks",
      "a",
      "b",
      "aa",
      "a name that takes several blocks",
    ];
    const all = new Float64Array(1_000_000);
    let at = 0;
    for (let seed = 0; seed < 125; seed++)
      for (const name of names)
        for (let index = 0; index < 1000; index++) all[at++] = stream(seed, name, index);
    all.sort();
    expect(all.findIndex((child, i) => child === all[i - 1])).toBe(-1);
  });

  it("distinguishes seeds, names and indices with similar bytes", () => {
    const all = [
      stream(0, "a"),
      stream(0, "a\0"),
      stream(0, "\0a"),
      stream(2 ** 32, "a"),
      stream(1, "a"),
      stream(0, "a", 1),
      stream(0, "a", 2 ** 32),
      stream(stream(0, "a"), "a"),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  // 53 bits of 100 000 neighbours: each bit's mean is normal with deviation 0.5/√n.
  it.each(["seed", "index"] as const)("changes half of the bits from one %s to the next", (what) => {
    const n = 100_000;
    const child = (i: number) => (what === "seed" ? stream(i, "row", 1) : stream(1, "row", i));
    const ones = new Float64Array(53);
    const flips = new Float64Array(53);
    const count = (into: Float64Array, high: number, low: number) => {
      for (let bit = 0; bit < 53; bit++) into[bit] += (bit < 32 ? low >>> bit : high >>> (bit - 32)) & 1;
    };
    let [high, low] = halves(child(0));
    for (let i = 1; i <= n; i++) {
      const [h, l] = halves(child(i));
      count(ones, h, l);
      count(flips, h ^ high, l ^ low);
      [high, low] = [h, l];
    }
    for (const counts of [ones, flips]) {
      const squares = counts.reduce((sum, c) => sum + (c - n / 2) ** 2 / (n / 4), 0);
      // Chi-square with 53 degrees of freedom is outside in two cases of a million.
      expect(squares).toBeGreaterThan(14);
      expect(squares).toBeLessThan(114);
    }
  });

  it("rejects numbers that are not integers from 0, and empty names", () => {
    expect(() => stream(1.5, "a")).toThrow("stream: the seed is 1.5; it must be a whole number from 0.");
    expect(() => stream(-1, "a")).toThrow("the seed is -1");
    expect(() => stream(2 ** 53, "a")).toThrow("the seed is 9007199254740992");
    expect(() => stream(1, "a", -1)).toThrow("the index is -1");
    expect(() => stream(1, "")).toThrow("the name has 0 characters; it must have 1 to 2047.");
  });
});

function halves(whole: number): [number, number] {
  return [Math.floor(whole / 2 ** 32), whole >>> 0];
}
