import { describe, expect, it } from "vitest";
import { PCG64 } from "./pcg64.ts";

// From NumPy 2.4.6: PCG64(42).random_raw(3).
const raw = [0xc621fbcd16d92688n, 0x705a5661a791ffc1n, 0xdbcd12c26eda1624n];

function next64(bits: PCG64): bigint {
  bits.next64();
  return (BigInt(bits.hi) << 32n) | BigInt(bits.lo);
}

describe("PCG64", () => {
  it("draws NumPy's 64-bit words", () => {
    const bits = new PCG64(42);
    expect(raw.map(() => next64(bits))).toEqual(raw);
  });

  it("steps as exact 128-bit arithmetic does, from any state", () => {
    const mask = (1n << 128n) - 1n;
    const read = (words: Uint32Array, from: number) =>
      [3, 2, 1, 0].reduce((sum, i) => (sum << 32n) | BigInt(words[from + i]), 0n);
    const bits = new PCG64(7);
    const edges = [0, 1, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff];
    for (let trial = 0; trial < 6 ** 4; trial++) {
      const words = bits.save();
      for (let i = 0; i < 4; i++) words[i] = edges[Math.floor(trial / 6 ** i) % 6];
      for (let i = 4; i < 8; i++) words[i] = edges[Math.floor(trial / 6 ** (7 - i)) % 6];
      bits.restore(words);
      bits.next64();
      const state = read(words, 0) * 0x2360ed051fc65da44385df649fccf645n + read(words, 4);
      expect(read(bits.save(), 0)).toBe(state & mask);
    }
  });

  it("splits a word into two 32-bit outputs, and keeps the second across other outputs", () => {
    const bits = new PCG64(42);
    expect(bits.next32()).toBe(0x16d92688);
    expect(next64(bits)).toBe(raw[1]);
    expect(bits.next32()).toBe(0xc621fbcd);
    expect(bits.next32()).toBe(0x6eda1624);
  });

  it("takes the top 53 bits for a double", () => {
    expect(new PCG64(42).nextDouble()).toBe(Number(raw[0] >> 11n) / 2 ** 53);
  });

  it("saves the state NumPy shows, with the buffered half", () => {
    const bits = new PCG64(42);
    for (let i = 0; i < 3; i++) bits.next64();
    bits.next32();
    const state = [0xe39bd02c, 0x6f734f6d, 0x6e29569a, 0x61654fe5];
    const increment = [0x8d25abff, 0x66caf2e2, 0xc9a8416e, 0xfa505436];
    expect([...bits.save()]).toEqual([...state, ...increment, 1, 0xb286b60e]);
  });

  it.each([0, 1])("continues from a snapshot with %i buffered halves, also through JSON", (halves) => {
    const bits = new PCG64(1);
    for (let i = 0; i < halves; i++) bits.next32();
    const snapshot = bits.save();
    const json = JSON.stringify([...snapshot]);
    const draw = (from: PCG64) =>
      Array.from({ length: 20 }, (_, i) => (i % 3 ? from.next32() : from.nextDouble()));
    const expected = draw(bits);
    bits.restore(snapshot);
    expect(draw(bits)).toEqual(expected);
    const other = new PCG64(2);
    other.restore(JSON.parse(json));
    expect(draw(other)).toEqual(expected);
  });

  it("saves into an array it is given", () => {
    const into = new Uint32Array(10);
    expect(new PCG64(3).save(into)).toBe(into);
  });

  it("refuses something that is not a snapshot", () => {
    expect(() => new PCG64(1).restore([1, 2, 3])).toThrow("A PCG64 snapshot has 10 words; this one has 3.");
  });
});
