import { describe, expect, it } from "vitest";
import { heap } from "./heap.ts";
import type { Tensor } from "./index.ts";
import * as o from "./index.ts";
import { backends } from "./testing/backends.ts";
import { collect } from "./testing/collect.ts";

/** Several passes over an array, so that a program has an arena: all elements need the sum. */
const centred = (x: Tensor) => o.cumsum(o.sub(o.cumsum(x), o.sum(x)));
const count = 4096;

for (const backend of backends().filter((b) => b !== "reference")) {
  describe(`memory that compiled code uses (${backend})`, () => {
    it("lives as long as the bound function, also without a reference to the compiled one", async () => {
      const x = o.ones([count]);
      const bound = (() => o.compile(centred, { backend }).bind(x))();
      await collect();
      const others = Array.from({ length: 4 }, (_, i) => {
        const t = o.full([count], i);
        return { t, b: o.compile((v: Tensor) => o.add(v, 0), { backend }).bind(t) };
      });
      bound.run();
      expect([...bound.result.data]).toEqual([...centred(x).data]);
      others.forEach(({ t, b }, i) => {
        b.run();
        for (const array of [t.data, b.result.data]) expect([...new Set(array)]).toEqual([i]);
      });
    });

    it("lives as long as an array of it is referenced", async () => {
      const array = (() => {
        const x = o.full([count], 3);
        const b = o.compile((v: Tensor) => o.mul(v, 2), { backend }).bind(x);
        b.run();
        return b.result.data;
      })();
      await collect();
      const others = Array.from({ length: 4 }, () => {
        const t = o.full([count], 1);
        o.compile((v: Tensor) => o.add(v, 1), { backend })
          .bind(t)
          .run();
        return t;
      });
      expect([...new Set(array)]).toEqual([6]);
      array.fill(9);
      for (const t of others) expect([...new Set(t.data)]).toEqual([1]);
    });

    it("is released with unreferenced functions: bound or not, disposed or not", async () => {
      const once = (i: number) => {
        const f = o.compile(centred, { backend });
        const x = o.full([count + i], 1);
        f(x);
        f.bind(x).run();
        const b = f.bind(x);
        b.run();
        b.dispose();
      };
      for (let i = 0; i < 3; i++) once(i);
      await collect();
      const top = heap.top;
      for (let i = 0; i < 3; i++) {
        once(i);
        await collect();
      }
      expect(heap.top).toBeLessThanOrEqual(top);
    });

    it("is reused in a synchronous loop that disposes of its functions", () => {
      const f = o.compile(centred, { backend, threads: 1 });
      const [before, had] = [heap.top, heap.buffer.byteLength];
      for (let i = 0; i < 100; i++) {
        const b = f.bind(o.tensor(new Float32Array(2 ** 16)));
        b.run();
        b.dispose();
      }
      // Arguments alone were 25 MiB. Free memory that the heap already had may be used first.
      expect(heap.top).toBeLessThanOrEqual(Math.max(had, before + 8 * 2 ** 20));
    });

    it("is shared by all shapes of a function, also after the largest one moved it", () => {
      const f = o.compile(centred, { backend });
      const bind = (n: number) => {
        const x = o.full([n], n % 5);
        return { x, b: f.bind(x) };
      };
      const all = [count, 64 * count, 16 * count].map(bind);
      for (let round = 0; round < 2; round++)
        for (const { x, b } of all) {
          b.run();
          expect(b.result.data.slice(0, 9)).toEqual(centred(x).data.slice(0, 9));
        }
      all[1].b.dispose();
      all[0].b.run();
      expect(all[0].b.result.data).toEqual(centred(all[0].x).data);
      for (const { b } of [all[0], all[2]]) b.dispose();
    });

    it("is reused for shapes that are called once", () => {
      const f = o.compile((x: Tensor) => o.cumsum(x), { backend, threads: 1 });
      const before = heap.top;
      for (let i = 0; i < 12; i++) f(o.tensor(new Float32Array(2 ** 18 + i)));
      // Arguments and results were 24 MiB.
      expect(heap.top - before).toBeLessThan(12 * 2 ** 20);
    });

    it("does not move while an array of it is referenced", () => {
      const f = o.compile((x: Tensor) => o.mul(x, 2), { backend });
      const x = o.ones([count]);
      f.bind(x).dispose();
      const array = x.data;
      for (let i = 0; i < 6; i++) f(o.tensor(new Float32Array(2 ** 20 + i)));
      const b = f.bind(x);
      array.fill(5);
      b.run();
      expect(b.result.data[7]).toBe(10);
    });
  });
}
