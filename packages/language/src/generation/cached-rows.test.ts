import { tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { type CachedRow, copyPrefixes, ownPrefix, replaceTokens, sameTokens } from "./cached-rows.ts";

/** Caches of 4 rows, 2 heads, 3 positions and width 1: row r, head h and position p hold 100 r + 10 h + p. */
const cache = () => {
  const rows = [0, 1, 2, 3].map((r) => [0, 1].map((h) => [0, 1, 2].map((p) => [100 * r + 10 * h + p])));
  return { keys: tensor(rows), values: tensor(rows) };
};

describe("prefixes of other rows", () => {
  it("are copied as they were before any row was overwritten", () => {
    const caches = [cache(), cache()];
    // Row 0 takes from row 1, which takes from row 2; rows 2 and 3 take from each other.
    const copies = [
      { row: 0, from: 1, shared: 2 },
      { row: 1, from: 2, shared: 3 },
      { row: 2, from: 3, shared: 1 },
      { row: 3, from: 2, shared: 2 },
    ];
    copyPrefixes(copies, caches);
    for (const { keys, values } of caches)
      for (const t of [keys, values])
        expect((t.toArray() as number[][][][]).map((r) => r.map((h) => h.flat()))).toEqual([
          [
            [100, 101, 2],
            [110, 111, 12],
          ],
          [
            [200, 201, 202],
            [210, 211, 212],
          ],
          [
            [300, 201, 202],
            [310, 211, 212],
          ],
          [
            [200, 201, 302],
            [210, 211, 312],
          ],
        ]);
  });

  it("are copied in place from rows that stay", () => {
    const one = cache();
    copyPrefixes(
      [
        { row: 0, from: 3, shared: 2 },
        { row: 1, from: 0, shared: 1 },
        { row: 2, from: 2, shared: 3 },
      ],
      [one],
    );
    expect((one.keys.toArray() as number[][][][]).map((r) => r[1].flat())).toEqual([
      [310, 311, 12],
      [10, 111, 112],
      [210, 211, 212],
      [310, 311, 312],
    ]);
  });
});

describe("equal texts", () => {
  it("have the same tokens in the same order", () => {
    expect(sameTokens([], [])).toBe(true);
    expect(sameTokens([1, 2], [1, 2])).toBe(true);
    expect(sameTokens([1, 2], [2, 1])).toBe(false);
    expect(sameTokens([3, 2], [1, 2])).toBe(false);
    expect(sameTokens([1, 2], [1, 2, 3])).toBe(false);
  });
});

describe("the longest prefix", () => {
  const row = (tokens: number[], read: number, version = 0): CachedRow => ({ tokens, read, version });
  const find = (rows: readonly CachedRow[], text: readonly number[], own: number) =>
    ownPrefix(rows, { text, version: 0, row: own });
  const long = [1, 2, 3, 4, 5];

  it("is the row's own text where no other row has more prefilled tokens", () => {
    expect(find([row([1, 2, 3, 9], 3), row([1, 2, 3, 4], 1)], long, 1)).toEqual({ from: 1, shared: 4 });
  });

  it("is another row's where that row has more prefilled tokens", () => {
    expect(find([row([1, 2], 2), row([1, 9], 2), row(long, 5)], long, 0)).toEqual({ from: 2, shared: 5 });
  });

  it("is the first of equal ones", () => {
    expect(find([row([1, 2, 3], 3), row([1, 2, 3], 3), row([1, 2, 3], 3)], long, 1)).toEqual({
      from: 0,
      shared: 3,
    });
  });

  it("ignores generated tokens of other rows, and rows of other versions", () => {
    expect(find([row(long, 1), row(long, 5, 1), row([], 0)], long, 2)).toEqual({ from: 0, shared: 1 });
    expect(find([row([1, 2], 2), row(long, 5, Number.NaN)], long, 1)).toEqual({ from: 0, shared: 2 });
  });
});

describe("replaced tokens", () => {
  it.each([[[]], [[7]], [[1, 2, 3]], [[1, 2, 9, 9, 9, 9]]])(
    "of %j are the new ones, in the same array",
    (before) => {
      const tokens: number[] = [...before];
      replaceTokens(tokens, [1, 2, 3, 4]);
      expect(tokens).toEqual([1, 2, 3, 4]);
      replaceTokens(tokens, []);
      expect(tokens).toEqual([]);
    },
  );
});
