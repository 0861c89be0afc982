import { describe, expect, it } from "vitest";
import type { Tensor } from "./index.ts";
import * as o from "./index.ts";
import { backends } from "./testing/backends.ts";

for (const backend of backends()) {
  describe(`compiled functions are traced once (${backend})`, () => {
    /** A compiled function and how often it was traced. */
    function counted<A extends unknown[], R extends o.Tree>(fn: (...args: A) => R) {
      const traces = { count: 0 };
      const f = o.compile(
        (...args: A) => {
          traces.count++;
          return fn(...args);
        },
        { backend },
      );
      return { f, traces };
    }

    it("plain numbers may change from call to call", () => {
      const { f, traces } = counted((x: Tensor, rate: Tensor) => o.mul(x, rate));
      const x = o.tensor([1, 2]);
      expect([0.5, 2, -1].map((v) => f(x, v).toArray())).toEqual([
        [0.5, 1],
        [2, 4],
        [-1, -2],
      ]);
      expect(f(x, o.tensor(3)).toArray()).toEqual([3, 6]);
      expect(traces.count).toBeLessThanOrEqual(2);
      const before = traces.count;
      for (let i = 0; i < 10; i++) f(x, i);
      expect(traces.count).toBe(before);
    });

    it("booleans are scalars too", () => {
      const { f, traces } = counted((x: Tensor, flag: Tensor) => o.where(flag, x, o.neg(x)));
      const x = o.tensor([1, 2]);
      expect(f(x, true).toArray()).toEqual([1, 2]);
      expect(f(x, false).toArray()).toEqual([-1, -2]);
      expect(traces.count).toBe(1);
    });

    it("again for another shape, type or nesting, and each trace is cached", () => {
      const { f, traces } = counted((x: { a: Tensor; b?: Tensor }) =>
        o.mul(x.a, o.cast(o.tensor(2), x.a.dtype)),
      );
      const calls = [
        { a: o.ones([2]) },
        { a: o.ones([3]) },
        { a: o.ones([2], "i32") },
        { a: o.ones([2]), b: o.ones([1]) },
        { a: o.ones([2, 1]) },
      ];
      for (let round = 0; round < 3; round++) for (const c of calls) expect(f(c).shape).toEqual(c.a.shape);
      expect(traces.count).toBe(calls.length);
    });

    it("again for another nesting of the same tensors", () => {
      const text = (form: unknown) => JSON.stringify([form], (_, x) => (x instanceof o.Tensor ? 0 : x));
      const { f, traces } = counted((x: Tensor, form: unknown) => o.add(x, text(form).length));
      const [one, two] = [o.tensor([1]), o.tensor([2])];
      const forms: unknown[] = [null, undefined, [], {}, [[]], [{}], { a: null }, { a: {} }];
      forms.push([one], { 0: one }, [one, []], [one, null], { a: one }, { "a;": one });
      forms.push({ "a.b": one }, { a: { b: one } }, { a: { b: one, c: two } }, { a: { b: one }, c: two });
      forms.push({ a: one, b: two }, { b: two, a: one }, { "a1:b": one }, { "": one }, { "": { "": one } });
      const run = () => forms.map((form) => f(o.tensor([0]), form as Tensor).item());
      const first = run();
      expect(traces.count).toBe(forms.length);
      expect(run()).toEqual(first);
      expect(traces.count).toBe(forms.length);
    });

    it("values are not part of the key", () => {
      const { f, traces } = counted((x: Tensor) => o.sum(x));
      for (const v of [0, 1, Number.NaN, Infinity]) f(o.full([3], v));
      expect(traces.count).toBe(1);
    });

    it("captured tensors are read at each call", () => {
      const w = o.tensor([1, 2]);
      const { f, traces } = counted((x: Tensor) => o.mul(x, w));
      const x = o.tensor([10, 10]);
      expect(f(x).toArray()).toEqual([10, 20]);
      w.set([5, 6]);
      expect(f(x).toArray()).toEqual([50, 60]);
      const bound = f.bind(x);
      w.data[0] = 7;
      bound.run();
      expect(bound.result.toArray()).toEqual([70, 60]);
      x.set(1);
      bound.run();
      expect(bound.result.toArray()).toEqual([7, 6]);
      bound.dispose();
      expect(traces.count).toBe(1);
    });

    it("results are fresh: an earlier one does not change", () => {
      const { f } = counted((x: Tensor) => o.add(x, 1));
      const [a, b] = [f(o.tensor([1])), f(o.tensor([2]))];
      expect([a.item(), b.item()]).toEqual([2, 3]);
    });

    it("results may be arguments, or one value twice", () => {
      const { f } = counted((x: Tensor, y: Tensor) => ({
        x,
        y: [y, y],
        both: o.add(x, y),
        again: o.add(x, y),
      }));
      const x = o.tensor([1]);
      const out = f(x, o.tensor([2]));
      expect([out.x, ...out.y, out.both, out.again].map((t) => t.item())).toEqual([1, 2, 2, 3, 3]);
      out.x.set(9);
      expect(x.item()).toBe(1);
      expect(out.y[1].item()).toBe(2);
    });

    it("a compiled function inside another is inlined", () => {
      const inner = counted((x: Tensor) => o.mul(x, 2));
      const outer = counted((x: Tensor) => o.add(inner.f(x), inner.f(o.neg(x))));
      expect(outer.f(o.tensor([3])).item()).toBe(0);
      expect(
        o
          .grad((x: Tensor) => o.sum(inner.f(x)))(o.tensor([3]))
          .item(),
      ).toBe(2);
    });

    it("donated state is updated in place", () => {
      const { f } = {
        f: o.compile(
          (s: { w: Tensor; m: Tensor }, g: Tensor) => ({ w: o.sub(s.w, o.mul(s.m, 0.1)), m: o.add(s.m, g) }),
          { backend, donate: [0] },
        ),
      };
      let s = { w: o.tensor([1, 1]), m: o.tensor([0, 0]) };
      for (let i = 0; i < 3; i++) s = f(s, o.tensor([1, 2]));
      expect(Array.from(s.w.data, (v) => Math.round(v * 1e4) / 1e4)).toEqual([0.7, 0.4]);
      expect(s.m.toArray()).toEqual([3, 6]);
    });

    it("donated arguments whose results are the same value are both updated", () => {
      const copyOver = o.compile(
        (s: { online: Tensor; target: Tensor }) => {
          const next = o.add(s.target, 1);
          return { online: next, target: next };
        },
        { backend, donate: [0] },
      );
      const bound = copyOver.bind({ online: o.tensor([0]), target: o.tensor([0]) });
      bound.run();
      bound.run();
      expect([bound.result.online.item(), bound.result.target.item()]).toEqual([2, 2]);
      bound.dispose();
    });

    it("donated arguments may swap places", () => {
      const swap = o.compile((a: Tensor, b: Tensor): Tensor[] => [o.add(b, 0), o.add(a, 0)], {
        backend,
        donate: [0, 1],
      });
      const out = swap(o.tensor([1, 2]), o.tensor([3, 4]));
      expect(out.map((t) => t.toArray())).toEqual([
        [3, 4],
        [1, 2],
      ]);
      const pass = o.compile((a: Tensor, b: Tensor): Tensor[] => [b, a], { backend, donate: [0, 1] });
      expect(pass(o.tensor([1, 2]), o.tensor([3, 4])).map((t) => t.toArray())).toEqual([
        [3, 4],
        [1, 2],
      ]);
    });

    it("empty tensors and scalars pass through", () => {
      const f = o.compile(
        (x: Tensor) => ({ sum: o.sum(x), twice: o.mul(x, 2), max: o.maximum(o.sum(x), 1) }),
        { backend },
      );
      const out = f(o.zeros([0, 3]));
      expect([out.sum.item(), out.twice.shape, out.max.item()]).toEqual([0, [0, 3], 1]);
    });
  });
}
