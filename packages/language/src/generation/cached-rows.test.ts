import { tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { copyPrefixes, sameTokens } from "./cached-rows.ts";

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
