import { afterEach, describe, expect, it, vi } from "vitest";
import { backends } from "./testing/backends.ts";
import { collect } from "./testing/collect.ts";

// Set before the heap is imported: a few tensors then fill several regions.
vi.hoisted(() => {
  process.env.REINS_REGION = "2";
});

import { heap } from "./heap.ts";
import type { Tensor } from "./index.ts";
import * as o from "./index.ts";

const region = 2 * 2 ** 20;
/** Elements of a tensor that takes a quarter of a region. */
const quarter = region / 16;
const placeOf = (t: Tensor) => t.storage!.moveToHeap().region;
const filled = (count: number, of = quarter) => Array.from({ length: count }, (_, i) => o.full([of], i));

/** Several passes over an array, so that a program has an arena: all elements need the sum. */
const centred = (x: Tensor) => o.cumsum(o.sub(o.cumsum(x), o.sum(x)));

describe("a heap of several regions", () => {
  // Arrays that a test has read stay until they are collected.
  afterEach(collect);

  describe.skipIf(!backends().includes("native"))("natively", () => {
    const backend = "native";

    it("holds more than one region, and functions reach all regions", () => {
      const all = filled(16);
      const f = o.compile((x: Tensor[]) => x.map((t) => o.add(o.mul(t, 2), x[0])), { backend });
      const bound = f.bind(all);
      bound.run();
      expect(heap.top).toBeGreaterThan(4 * region);
      expect(new Set(all.map(placeOf)).size).toBeGreaterThan(2);
      bound.result.forEach((t, i) => {
        expect(new Set(t.data)).toEqual(new Set([2 * i]));
      });
      all[0].set(1);
      bound.run();
      expect(bound.result.map((t) => t.data[quarter - 1])).toEqual(all.map((_, i) => (i ? 2 * i : 2) + 1));
      bound.dispose();
    });

    it("places arenas, contexts and donated arguments in any region", () => {
      const held = filled(4).map((t) => o.compile((x: Tensor) => o.add(x, 1), { backend }).bind(t));
      const x = o.cast(o.mod(o.arange(quarter), 7), "f32");
      const f = o.compile(centred, { backend });
      const bound = f.bind(x);
      bound.run();
      expect([...bound.result.data]).toEqual([...centred(x).data]);
      const step = o.compile((s: { w: Tensor }) => ({ w: o.mul(s.w, 0.5) }), { backend, donate: [0] });
      let state = { w: o.full([quarter], 8) };
      for (let i = 0; i < 3; i++) state = step(state);
      expect(new Set(state.w.data)).toEqual(new Set([1]));
      for (const b of held) b.run();
      expect(held.map((b) => b.result.data[0])).toEqual([1, 2, 3, 4]);
      for (const b of [...held, bound]) b.dispose();
    });

    it("releases all regions", async () => {
      const f = o.compile(centred, { backend });
      const once = () => {
        const all = filled(12);
        const bound = all.map((t) => f.bind(t));
        for (const b of bound) b.run();
        expect(bound[3].result.data[0]).toBe(centred(all[3]).data[0]);
      };
      once();
      await collect();
      const top = heap.top;
      for (let i = 0; i < 3; i++) {
        once();
        await collect();
      }
      expect(heap.top).toBeLessThanOrEqual(top);
    });

    it("reclaims memory in a synchronous loop", () => {
      const f = o.compile(centred, { backend, threads: 1 });
      const before = heap.top;
      for (let i = 0; i < 60; i++) {
        const b = f.bind(o.tensor(new Float32Array(quarter).fill(i)));
        b.run();
        b.dispose();
      }
      expect(heap.top - before).toBeLessThan(4 * region);
    });

    it("refuses a tensor larger than a region", () => {
      const f = o.compile((x: Tensor) => o.add(x, 1), { backend });
      expect(() => f(o.ones([region / 4]))).toThrow(/in one piece. A tensor.* at most 2097152 bytes/);
      expect(f(o.ones([3])).toArray()).toEqual([2, 2, 2]);
    });

    it("moves tensors into the first region for WebAssembly, or explains why it cannot", () => {
      const all = filled(16);
      o.compile((x: Tensor[]) => x.map((t) => o.add(t, 1)), { backend })
        .bind(all)
        .dispose();
      const first = placeOf(all[0]);
      const far = all.filter((t) => placeOf(t) !== first);
      expect(far.length).toBeGreaterThan(2);
      const wasm = o.compile((x: Tensor) => o.add(x, 1), { backend: "wasm" });
      const bound = wasm.bind(far[0]);
      bound.run();
      // Inspected without reading `data`, which would pin the block.
      const value = (t: Tensor) => t.storage!.data[5];
      expect(value(bound.result)).toBe(value(far[0]) + 1);
      expect(placeOf(far[0])).toBe(first);
      bound.dispose();
      const kept = o.compile((x: Tensor[]) => x.map((t) => o.add(t, 2)), { backend }).bind(all);
      const seen = all.filter((t) => placeOf(t) !== first)[0];
      expect(seen.data).toHaveLength(quarter);
      kept.dispose();
      expect(() => wasm.bind(seen)).toThrow(/lies beyond the first 4 GiB of the heap.*Pass a copy/);
      // A plain call copies.
      expect(value(wasm(seen))).toBe(value(seen) + 1);
    });
  });

  it("is limited to the first region on WebAssembly", () => {
    const all = filled(16);
    const f = o.compile((x: Tensor[]) => x.map((t) => o.add(t, 1)), { backend: "wasm" });
    expect(() => f.bind(all)).toThrow(/of at most 2097152 bytes are in use. WebAssembly cannot address more/);
    const g = o.compile((x: Tensor) => o.add(x, 1), { backend: "wasm" });
    expect(g(all[3]).data[0]).toBe(4);
  });
});
