import { describe, expect, it } from "vitest";
import {
  add,
  compile,
  gradient,
  mul,
  ones,
  prefixView,
  square,
  sub,
  sum,
  type Tensor,
  tensor,
  treeMap,
} from "./index.ts";
import { backends } from "./testing/backends.ts";

type Pair = { w: Tensor };

/** Donation must follow the meaning of a result, not its position: a bound function reads its own results in the next run. */
describe.each(backends())("donation on %s", (backend) => {
  it("gives each argument its own next value, in any order of the results", () => {
    const step = (a: Pair, b: Pair) => ({ b: { w: add(b.w, 1) }, a: { w: mul(a.w, 2) } });
    const bound = compile(step, { backend, donate: [0, 1] }).bind({ w: tensor([1]) }, { w: tensor([10]) });
    bound.run();
    bound.run();
    expect([bound.result.a.w.item(), bound.result.b.w.item()]).toEqual([4, 12]);
  });

  it("distinguishes parameters from their moments", () => {
    const step = (p: Pair, m: Pair, v: Pair) => {
      const g = gradient(sum(square(p.w)), p);
      const m2 = treeMap((x, y) => add(mul(x, 0.5), y), m, g);
      const v2 = treeMap((x, y) => add(mul(x, 0.25), square(y)), v, g);
      return { v: v2, m: m2, p: treeMap((x, y) => sub(x, mul(y, 0.1)), p, m2) };
    };
    const run = (donate: number[]) => {
      const args = [ones([2]), tensor([0, 0]), tensor([0, 0])].map((w) => ({ w })) as [Pair, Pair, Pair];
      const f = compile(step, { backend, donate });
      if (donate.length) {
        const bound = f.bind(...args);
        for (let i = 0; i < 4; i++) bound.run();
        return [bound.result.p, bound.result.m, bound.result.v].map((x) => x.w.toArray());
      }
      let [p, m, v] = args;
      for (let i = 0; i < 4; i++) ({ p, m, v } = f(p, m, v));
      return [p, m, v].map((x) => x.w.toArray());
    };
    expect(run([0, 1, 2])).toEqual(run([]));
  });

  it("updates both of two arguments that become the same value", () => {
    const twin = (s: { p: Tensor; q: Tensor }) => {
      const n = add(s.q, 1);
      return { p: n, q: n };
    };
    const bound = compile(twin, { backend, donate: [0] }).bind({ p: tensor([0]), q: tensor([0]) });
    bound.run();
    bound.run();
    expect([bound.result.p.item(), bound.result.q.item()]).toEqual([2, 2]);
  });

  it("distinguishes names with dots from nested names", () => {
    type State = { "a.b": Tensor; a: { b: Tensor } };
    const step = (s: State) => ({ a: { b: mul(s.a.b, 2) }, "a.b": add(s["a.b"], 1) });
    const bound = compile(step, { backend, donate: [0] }).bind({ "a.b": tensor([0]), a: { b: tensor([1]) } });
    for (let i = 0; i < 3; i++) bound.run();
    expect([bound.result["a.b"].item(), bound.result.a.b.item()]).toEqual([3, 8]);
  });

  it("does not donate an argument without a matching result", () => {
    const bound = compile((x: Tensor) => ({ total: sum(x) }), { backend, donate: [0] }).bind(ones([3]));
    bound.run();
    bound.run();
    expect(bound.result.total.item()).toBe(3);
  });
});

describe.each(backends())("a view of the first elements of a tensor, on %s", (backend) => {
  it("shares memory with it in compiled functions too, and outlives their bindings", () => {
    const whole = tensor([1, 2, 3, 4, 5, 6]);
    const part = prefixView(whole, [2, 2]);
    const bound = compile((x: Tensor) => mul(x, 10), { backend, donate: [0] }).bind(part);
    bound.run();
    expect([...whole.data]).toEqual([10, 20, 30, 40, 5, 6]);
    whole.data[3] = 7;
    bound.run();
    expect(part.toArray()).toEqual([
      [100, 200],
      [300, 70],
    ]);
    bound.dispose();
    expect([...whole.data]).toEqual([100, 200, 300, 70, 5, 6]);
    expect(() => prefixView(whole, [7])).toThrow("needs more than the 6 elements");
  });

  it("cannot be donated while the function reads its memory through another tensor", () => {
    const whole = tensor([1, 2, 3, 4]);
    const part = prefixView(whole, [2]);
    const inner = prefixView(part, [1]);
    const outside = (donated: Tensor, used: Tensor) =>
      compile((a: Tensor) => ({ a: mul(a, 10), s: add(used, 1) }), { backend, donate: [0] }).bind(donated);
    for (const [a, b] of [
      [whole, part],
      [part, whole],
      [inner, whole],
      [part, inner],
    ])
      expect(() => outside(a, b)).toThrow("argument 0 is donated, but the function also uses its memory");
    const both = (donate: number[]) =>
      compile((a: Tensor, b: Tensor) => ({ a: mul(a, 10), b: add(b, 1) }), { backend, donate });
    expect(() => both([0]).bind(whole, inner)).toThrow("donated and shares memory with argument 1");
    expect(() => both([1])(whole, inner)).toThrow("argument 1 is donated and shares memory with argument 0");
    expect(() => both([0, 1])(whole, part)).toThrow("donated and shares memory with argument");
    expect(() => both([0, 1])(whole, whole)).toThrow("donated and is the same tensor as argument");
    expect([...whole.data]).toEqual([1, 2, 3, 4]);
  });
});
