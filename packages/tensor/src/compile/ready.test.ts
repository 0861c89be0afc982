import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Tensor } from "../index.ts";
import * as o from "../index.ts";
import { backends } from "../testing/backends.ts";

// An empty cache, so that something has to be compiled.
const cache = mkdtempSync(join(tmpdir(), "reins-ready-test-"));
beforeAll(() => void vi.stubEnv("REINS_CACHE", cache));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(cache, { recursive: true, force: true });
});

const layer = (x: Tensor, w: Tensor) => ({ y: o.tanh(o.matmul(x, w)), total: o.sum(x) });
const given = (): [Tensor, Tensor] => [
  o.reshape(o.sin(o.cast(o.arange(17 * 33), "f32")), [17, 33]),
  o.reshape(o.cos(o.cast(o.arange(33 * 9), "f32")), [33, 9]),
];

for (const backend of backends()) {
  describe(`compiling ahead (${backend})`, () => {
    /** The layer with a different constant each time, so that each is another program, and the number of its traces. */
    function counted(factor: number, options: o.CompileOptions = {}) {
      const traces = { count: 0 };
      const f = o.compile(
        (x: Tensor, w: Tensor) => {
          traces.count++;
          return layer(o.mul(x, factor), w);
        },
        { backend, ...options },
      );
      return { f, traces };
    }

    it("gives the function that a call would compile, bit for bit", async () => {
      const [x, w] = given();
      const [ahead, plain] = [counted(1.5), counted(1.5)];
      await ahead.f.ready(x, w);
      const bound = ahead.f.bind(x, w);
      bound.run();
      for (const result of [ahead.f(x, w), bound.result]) {
        expect(result.y.data).toEqual(plain.f(x, w).y.data);
        expect(result.total.item()).toBe(plain.f(x, w).total.item());
      }
      expect(ahead.traces.count).toBe(1);
    });

    it("compiles once for concurrent requests, and again for other shapes", async () => {
      const [x, w] = given();
      const { f, traces } = counted(2.5);
      await Promise.all([f.ready(x, w), f.ready(x, w)]);
      await f.ready(x, w);
      expect(traces.count).toBe(1);
      await f.ready(o.ones([2, 33]), w);
      expect(traces.count).toBe(2);
    });

    it("does not block the thread, and calls need not wait", async () => {
      const [x, w] = given();
      const several = [3.5, 4.5, 5.5].map((factor) => counted(factor).f);
      const all = Promise.all(several.map((f) => f.ready(x, w)));
      let turns = 0;
      const timer = setInterval(() => turns++, 0);
      // The first is called before it is ready.
      const early = several[0](x, w).y.data.slice();
      await all;
      clearInterval(timer);
      if (backend === "native") expect(turns).toBeGreaterThan(0);
      expect(several[0](x, w).y.data).toEqual(early);
      expect(several[1](x, w).y.data).not.toEqual(early);
    });

    it("does not consume its arguments, which may be donated while it compiles", async () => {
      const f = o.compile((x: Tensor) => o.mul(o.add(x, 6.5), 2), { backend, donate: [0] });
      const g = o.compile((x: Tensor) => o.mul(o.add(x, 7.5), 2), { backend, donate: [0] });
      const x = o.tensor([1, 2]);
      const ready = g.ready(x);
      expect(f(x).toArray()).toEqual([15, 17]);
      await ready;
      expect(() => x.toArray()).toThrow(/was donated/);
      expect(g(o.tensor([1, 2])).toArray()).toEqual([17, 19]);
    });

    it("rejects with errors, and can be retried", async () => {
      let works = false;
      const f = o.compile(
        (x: Tensor) => {
          if (!works) throw new Error("not yet");
          return o.mul(x, 8.5);
        },
        { backend },
      );
      await expect(f.ready(o.ones([2]))).rejects.toThrow("not yet");
      works = true;
      await f.ready(o.ones([2]));
      expect(f(o.ones([2])).toArray()).toEqual([8.5, 8.5]);
      let inside: Promise<void> | undefined;
      const outer = (x: Tensor) => {
        inside = f.ready(x);
        return x;
      };
      o.compile(outer, { backend })(o.ones([2]));
      await expect(inside).rejects.toThrow(/ready\(\) was called inside a traced function/);
    });
  });
}
