import { gpt } from "@reins/nn";
import { expect, test } from "vitest";
import { CachePool, sizeFor } from "./cache-pool.ts";

const model = gpt({ layers: 2, width: 4, heads: 2, context: 128, vocabulary: 5, style: "llama" });

/** Fills caches with numbers that encode their position. */
function filled(pool: CachePool, rows: number, positions: number) {
  const state = pool.at(rows, positions);
  for (const { keys, values } of state.caches) {
    keys.data.forEach((_, i) => (keys.data[i] = i + 1));
    values.data.forEach((_, i) => (values.data[i] = -i - 1));
  }
  return state;
}

test("resized caches keep the prefix of every row", () => {
  for (const [from, to] of [
    [32, 96],
    [96, 32],
    [64, 96],
  ]) {
    const pool = new CachePool(model, 3, 128);
    const before = filled(pool, 3, from).caches.map((c) => ({
      keys: c.keys.toArray(),
      values: c.values.toArray(),
    }));
    const kept = Math.min(from, to);
    pool.moved(pool.at(3, from), to).caches.forEach((cache, i) => {
      for (const part of ["keys", "values"] as const) {
        const was = (before[i][part] as number[][][][]).map((row) => row.map((head) => head.slice(0, kept)));
        const is = (cache[part].toArray() as number[][][][]).map((row) => row.map((h) => h.slice(0, kept)));
        expect(is).toEqual(was);
      }
    });
  }
});

test("sizes share one memory, and a size is created once", () => {
  const pool = new CachePool(model, 4, 64);
  expect(pool.at(2, 32)).toBe(pool.at(2, 32));
  pool.at(2, 32).caches[0].keys.data[0] = 7;
  expect(pool.at(4, 64).caches[0].keys.data[0]).toBe(7);
  expect(() => pool.at(8, 64)).toThrow("needs more than");
});

test("sizes are few, and never far above the required length", () => {
  const sizes = new Set(Array.from({ length: 512 }, (_, i) => sizeFor(i + 1)));
  expect([...sizes]).toEqual([32, 64, 96, 128, 192, 256, 384, 512]);
  for (let n = 33; n <= 512; n++) expect(sizeFor(n)).toBeLessThan(2 * n);
});
