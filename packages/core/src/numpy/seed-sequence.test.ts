import { describe, expect, it } from "vitest";
import { type Seed, SeedSequence } from "./seed-sequence.ts";

// From NumPy 2.4.6: SeedSequence(seed).generate_state(4).
const states: [Seed, number[]][] = [
  [0, [0xb0f478be, 0xdb2cd7e7, 0x2c71ba49, 0xabf4641a]],
  [42, [0xcd540ab7, 0x9f1e2e6d, 0x79fb94b6, 0xd57873dc]],
  [2n ** 63n, [0x56c9650a, 0xd360dfe1, 0xb58db8d7, 0x6d067215]],
  [2n ** 130n + 7n, [0x749c1bd9, 0xfe5332f1, 0x1db1f308, 0x3dbf7950]],
  [
    [1, 2, 3],
    [0xe3d1fc80, 0xb45f843f, 0x203807c7, 0x42c16e36],
  ],
  [
    [5, 2 ** 40, 0, 7, 8, 2 ** 33 + 1, 9],
    [0x4defb7cd, 0xe2d0ebc8, 0x1c2ae6c7, 0x862817c4],
  ],
];

describe("SeedSequence", () => {
  it.each(states)("mixes seed %s as NumPy does", (seed, state) => {
    expect([...new SeedSequence(seed).generateState(4)]).toEqual(state);
  });

  it("gives 64-bit words with the low half first", () => {
    const words = new SeedSequence(42).generateState(2, 64);
    expect([...words]).toEqual([0x9f1e2e6dcd540ab7n, 0xd57873dc79fb94b6n]);
  });

  it("takes the same integer as a number or a bigint", () => {
    expect(new SeedSequence(2 ** 40).generateState(8)).toEqual(new SeedSequence(2n ** 40n).generateState(8));
  });

  it("spawns the children NumPy spawns, and new ones at each call", () => {
    const root = new SeedSequence(42);
    const [first, second] = root.spawn(2);
    const [grandchild] = second.spawn(1);
    const [third] = root.spawn(1);
    const seen = [first, second, grandchild, third].map((s) => [s.spawnKey, [...s.generateState(2)]]);
    expect(seen).toEqual([
      [[0], [0xa001c6a4, 0xdff6ed7d]],
      [[1], [0xf3e63cba, 0x01dcb763]],
      [
        [1, 0],
        [0x45fbc4b8, 0xe66843fe],
      ],
      [[2], [0x0de6c5ed, 0xa102097a]],
    ]);
  });

  it("is different each time without a seed, and can be repeated from its entropy", () => {
    const sequence = new SeedSequence();
    expect(sequence.generateState(4)).not.toEqual(new SeedSequence().generateState(4));
    expect(sequence.generateState(4)).toEqual(new SeedSequence(sequence.entropy).generateState(4));
  });

  it("names an invalid seed", () => {
    expect(() => new SeedSequence(-1)).toThrow("Seed -1 cannot be used.");
    expect(() => new SeedSequence(1.5)).toThrow("Use an integer, 0 or more.");
    expect(() => new SeedSequence(2 ** 60)).toThrow("write it as a bigint");
    expect(() => new SeedSequence([3, -4n])).toThrow("Seed -4 cannot be used.");
  });
});
