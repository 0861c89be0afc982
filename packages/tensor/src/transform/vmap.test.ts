import { describe, expect, it } from "vitest";
import type { Tensor } from "../index.ts";
import * as o from "../index.ts";
import { backends } from "../testing/backends.ts";
import { expectClose } from "../testing/compare.ts";
import { Generator } from "../testing/generator.ts";

const members = 3;
const r = new Generator(11);
const spd = (n: number) => {
  const a = r.tensor([members, n, n], -1, 1);
  return o.add(o.matmul(a, o.transpose(a)), o.mul(o.eye(n), n));
};

interface Case {
  readonly name: string;
  readonly fn: (...xs: Tensor[]) => Tensor;
  readonly args: Tensor[];
  /** The axis of each argument; 0 by default. */
  readonly axes?: (number | null)[];
}

const f = (...shape: number[]) => r.tensor(shape);
const n = members;
const x234 = () => f(n, 2, 3, 4);
const cases: Case[] = [
  {
    name: "broadcast arithmetic",
    fn: (a, b) => o.div(o.mul(a, b), o.add(o.abs(b), 1)),
    args: [f(n, 2, 3), f(n, 3)],
  },
  {
    name: "a shared operand",
    fn: (a, b) => o.sub(o.add(a, b), 2),
    args: [f(n, 2, 3), f(3)],
    axes: [0, null],
  },
  { name: "an axis in the middle", fn: (a, b) => o.mul(a, b), args: [f(2, n, 3), f(2, 3, n)], axes: [1, -1] },
  {
    name: "where, comparisons, casts",
    fn: (a) => o.where(o.gt(a, 0), o.cast(o.cast(a, "i32"), "f32"), o.exp(a)),
    args: [x234()],
  },
  {
    name: "reductions",
    fn: (a) => o.add(o.sum(a, [0, 2]), o.add(o.max(a, [0, -1]), o.mean(a))),
    args: [x234()],
  },
  { name: "prod and min", fn: (a) => o.mul(o.prod(a, 1), o.min(a, 1)), args: [x234()] },
  { name: "cumulative", fn: (a) => o.add(o.cumsum(a, 1), o.cumprod(a, -1, true)), args: [f(n, 2, 3)] },
  {
    name: "sort and top",
    fn: (a) => o.concat([o.sort(a, 0), o.topK(a, 2, 0).values], 0),
    args: [f(n, 4, 3)],
  },
  {
    name: "argmax to one-hot",
    fn: (a) => o.add(o.oneHot(o.argmax(a, 0), 4), o.oneHot(o.argmin(a, 0), 4)),
    args: [f(n, 4, 3)],
  },
  {
    name: "movement",
    fn: (a) =>
      o.pad(
        o.flip(o.slice(o.permute(a, [2, 0, 1]), [{ start: 1, step: 2 }]), 1),
        [
          [1, 0],
          [0, 2],
          [0, 0],
        ],
        3,
      ),
    args: [x234()],
  },
  {
    name: "stack, split, expand",
    fn: (a, b) =>
      o.squeeze(
        o.stack(
          o.split(o.expandDims(o.add(a, b), 0), [1, 2], 1).map((p) => o.sum(p)),
          0,
        ),
      ),
    args: [f(n, 3), f()],
    axes: [0, null],
  },
  { name: "matmul, both", fn: (a, b) => o.matmul(a, b), args: [f(n, 2, 3), f(n, 3, 4)] },
  {
    name: "matmul, shared right",
    fn: (a, b) => o.matmul(a, b),
    args: [f(n, 2, 3), f(3, 4)],
    axes: [0, null],
  },
  { name: "matmul, shared left", fn: (a, b) => o.matmul(a, b), args: [f(2, 3), f(n, 3, 4)], axes: [null, 0] },
  { name: "matmul of vectors", fn: (a, b) => o.matmul(a, b), args: [f(n, 3), f(n, 3, 4)] },
  {
    name: "matmul with leading axes",
    fn: (a, b) => o.matmul(a, b),
    args: [f(n, 2, 3, 4), f(2, 4, 3)],
    axes: [0, null],
  },
  { name: "einsum", fn: (a, b) => o.einsum("ij,kj->ki", a, b), args: [f(n, 2, 3), f(n, 4, 3)] },
  {
    name: "conv2d",
    fn: (a, b) => o.conv2d(a, b, { stride: 2, padding: 1 }),
    args: [f(n, 1, 2, 5, 5), f(3, 2, 3, 3)],
    axes: [0, null],
  },
  {
    name: "conv2d, members' kernels",
    fn: (a, b) => o.conv2d(a, b),
    args: [f(1, 2, 4, 4), f(n, 3, 2, 3, 3)],
    axes: [null, 0],
  },
  { name: "pooling", fn: (a) => o.maxPool2d(a, 2), args: [f(n, 1, 2, 4, 4)] },
  { name: "softmax", fn: (a) => o.add(o.softmax(a, 0), o.logSoftmax(a)), args: [f(n, 3, 4)] },
  {
    name: "layer norm with shared scale",
    fn: (a, s) => o.layerNorm(a, s),
    args: [f(n, 2, 4), f(4)],
    axes: [0, null],
  },
  {
    name: "attention",
    fn: (q, k, v) => o.attention(q, k, v, { causal: true }),
    args: [f(n, 3, 2), f(n, 3, 2), f(n, 3, 2)],
  },
  { name: "gelu and softplus", fn: (a) => o.gelu(o.softplus(a)), args: [f(n, 4)] },
  { name: "stopGradient", fn: (a) => o.mul(a, o.stopGradient(a)), args: [f(n, 4)] },
  { name: "cholesky and solve", fn: (a, b) => o.solve(a, b), args: [spd(3), f(n, 3, 2)] },
  {
    name: "solve with a shared matrix",
    fn: (a, b) => o.triangularSolve(a, b),
    args: [o.add(o.eye(3), o.mul(r.tensor([3, 3]), 0.1)), f(n, 3, 2)],
    axes: [null, 0],
  },
  { name: "eigenvalues", fn: (a) => o.eigh(a).values, args: [spd(3)] },
];
/** The last argument holds integers and is not differentiated. */
const whole = (high: number, ...shape: number[]) => r.integers(shape, 0, high);
const withIndices: Case[] = [
  {
    name: "take by shared indices",
    fn: (a, i) => o.take(a, i),
    args: [f(n, 5, 2), whole(4, 4)],
    axes: [0, null],
  },
  {
    name: "take from a shared table",
    fn: (a, i) => o.take(a, i),
    args: [f(5, 2), whole(4, n, 2, 2)],
    axes: [null, 0],
  },
  { name: "gather, both", fn: (a, i) => o.gather(a, i, 1), args: [f(n, 3, 4), whole(3, n, 3, 2)] },
  {
    name: "gather from a shared tensor, inner axis",
    fn: (a, i) => o.gather(a, i, 1),
    args: [f(2, 4, 3), whole(3, n, 2, 5, 3)],
    axes: [null, 0],
  },
  { name: "scatterAdd", fn: (a, i) => o.scatterAdd(i, a, 0, 4), args: [f(n, 5), whole(3, n, 5)] },
  {
    name: "scatterAdd, shared source",
    fn: (a, i) => o.scatterAdd(i, a, 0, 4),
    args: [f(5), whole(3, n, 5)],
    axes: [null, 0],
  },
  {
    name: "scatter",
    fn: (a, b, i) => o.scatter(a, i, b, 0),
    args: [f(n, 6, 2), f(n, 1, 2), whole(5, n, 1, 2)],
  },
  {
    name: "scatter into a shared tensor",
    fn: (a, b, i) => o.scatter(a, i, b, 0),
    args: [f(6, 2), f(n, 1, 2), whole(5, n, 1, 2)],
    axes: [null, 0, 0],
  },
  {
    name: "dynamicSlice, members' starts",
    fn: (a, s) => o.dynamicSlice(a, s, 2, 1),
    args: [f(n, 3, 5), whole(5, n)],
  },
  {
    name: "dynamicSlice, shared start",
    fn: (a, s) => o.dynamicSlice(a, s, 2, 1),
    args: [f(n, 3, 5), whole(5)],
    axes: [0, null],
  },
  {
    name: "dynamicSlice of a shared tensor",
    fn: (a, s) => o.dynamicSlice(a, s, 2, 1),
    args: [f(3, 5, 2), whole(5, n)],
    axes: [null, 0],
  },
  {
    name: "dynamicUpdate, members' starts",
    fn: (a, b, s) => o.dynamicUpdate(a, b, s, 1),
    args: [f(n, 3, 5), f(n, 3, 2), whole(5, n)],
  },
  {
    name: "dynamicUpdate, shared start",
    fn: (a, b, s) => o.dynamicUpdate(a, b, s, 1),
    args: [f(3, 5), f(n, 3, 2), whole(5)],
    axes: [null, 0, null],
  },
  {
    name: "a random key each",
    fn: (a, k) => o.add(a, o.random.normal(o.bitcast(k, "u32"), [4])),
    args: [f(n, 4), whole(1e6, n, 2)],
  },
];

const scanned =
  (count?: (k: Tensor) => Tensor, reverse = false) =>
  (x: Tensor, w: Tensor, k: Tensor) => {
    const body = (
      { h, i }: { h: Tensor; i: Tensor },
      { x: now }: { x: Tensor },
    ): readonly [{ h: Tensor; i: Tensor }, Tensor] => {
      const next = o.tanh(o.add(o.matmul(h, w), o.mul(now, o.cast(i, "f32"))));
      return [{ h: next, i: o.add(i, 1) }, o.softmax(next)];
    };
    const { carry, ys } = o.scan(
      body,
      { h: o.zeros([2]), i: o.tensor(0, { dtype: "i32" }) },
      { x },
      { count: count?.(k), reverse },
    );
    return o.concat(
      [ys, o.expandDims(carry.h, 0), o.expandDims(o.mul(o.ones([2]), o.cast(carry.i, "f32")), 0)],
      0,
    );
  };
const loops: Case[] = [
  { name: "scan", fn: scanned(), args: [f(n, 4, 2), f(n, 2, 2), whole(1)], axes: [0, 0, null] },
  {
    name: "scan with a shared weight, backwards",
    fn: scanned(undefined, true),
    args: [f(n, 4, 2), f(2, 2), whole(1)],
    axes: [0, null, null],
  },
  {
    name: "scan with a shared count",
    fn: scanned((k) => k),
    args: [f(n, 4, 2), f(2, 2), o.tensor(3, { dtype: "i32" })],
    axes: [0, null, null],
  },
  {
    name: "scan with members' counts",
    fn: scanned((k) => k),
    args: [f(n, 4, 2), f(2, 2), o.tensor([2, 4, 0], { dtype: "i32" })],
    axes: [0, null, 0],
  },
  {
    name: "scan with members' counts only, backwards",
    fn: scanned((k) => k, true),
    args: [f(4, 2), f(2, 2), o.tensor([2, 4, 1], { dtype: "i32" })],
    axes: [null, null, 0],
  },
];

/** One member at a time, and the results stacked. */
function looped(fn: (...xs: Tensor[]) => Tensor, args: Tensor[], axes: (number | null)[]): Tensor {
  const one = (t: Tensor, axis: number | null, m: number) => {
    if (axis === null) return t;
    const a = axis < 0 ? axis + t.rank : axis;
    return o.reshape(
      o.slice(t, t.shape.map((_, i) => (i === a ? [m, m + 1] : null)) as [number, number][]),
      t.shape.filter((_, i) => i !== a),
    );
  };
  return o.stack(Array.from({ length: members }, (_, m) => fn(...args.map((t, i) => one(t, axes[i], m)))));
}

const close = { relative: 2e-5, absolute: 2e-5 };
const weigh = (y: Tensor) => o.sum(o.mul(y, o.reshape(o.sin(o.cast(o.iota([y.size]), "f32")), y.shape)));

describe("vmap agrees with a loop over members", () => {
  for (const { name, fn, args, axes = args.map(() => 0) } of [...cases, ...withIndices, ...loops]) {
    it(name, () => {
      const mapped = o.vmap(fn, { in: axes });
      const expected = looped(fn, args, axes);
      const floats = args.flatMap((t, i) => (t.dtype === "f32" ? [i] : []));
      expectClose("eager", mapped(...args), expected, close);
      for (const backend of backends()) {
        const both = o.compile(
          (xs: Tensor[]) => ({
            y: mapped(...xs),
            g: o.gradient(
              weigh(mapped(...xs)),
              floats.map((i) => xs[i]),
            ),
          }),
          { backend, name },
        );
        const loop = o.compile(
          (xs: Tensor[]) =>
            o.gradient(
              weigh(looped(fn, xs, axes)),
              floats.map((i) => xs[i]),
            ),
          { backend: "reference" },
        );
        const { y, g } = both(args);
        expectClose(`compiled on ${backend}`, y, expected, close);
        loop(args).forEach((e, i) => {
          expectClose(`gradient ${i} on ${backend}`, g[i], e, close);
        });
      }
    });
  }

  it("maps gradients: one per member", () => {
    const loss = (w: Tensor, x: Tensor) => o.sum(o.tanh(o.matmul(x, w)));
    const [w, x] = [r.tensor([3, 2]), r.tensor([members, 4, 3])];
    const per = o.vmap(o.grad(loss), { in: [null, 0] })(w, x);
    expectClose(
      "gradients",
      per,
      looped((a, b) => o.grad(loss)(a, b), [w, x], [null, 0]),
      close,
    );
    const custom = o.grad((a: Tensor) => o.sum(o.square(o.softmax(a))));
    const z = r.tensor([members, 5]);
    expectClose("custom", o.vmap(custom)(z), looped(custom, [z], [0]), close);
  });

  it("nests", () => {
    const distance = (a: Tensor, b: Tensor) => o.sqrt(o.sum(o.square(o.sub(a, b))));
    const [a, b] = [r.tensor([4, 3]), r.tensor([5, 3])];
    const table = o.vmap((p: Tensor) => o.vmap(distance, { in: [null, 0] })(p, b))(a);
    const expected = o.sqrt(o.sum(o.square(o.sub(o.expandDims(a, 1), o.expandDims(b, 0))), 2));
    expectClose("table", table, expected, close);
    const g = o.grad((q: Tensor) =>
      o.sum(o.vmap((p: Tensor) => o.sum(o.vmap((s: Tensor) => o.sum(o.softmax(o.mul(p, s))))(b)))(q)),
    );
    expectClose("gradient through two", g(a), { shape: [4, 3], data: new Float32Array(12) }, close);
  });

  it("maps gradients of loops, and works inside loops", () => {
    const loss = (w: Tensor, x: Tensor) => o.sum(scanned()(x, w, o.tensor(0, { dtype: "i32" })));
    const [w, x] = [r.tensor([2, 2]), r.tensor([members, 4, 2])];
    expectClose(
      "per-member gradient of a scan",
      o.vmap(o.grad(loss), { in: [null, 0] })(w, x),
      looped((a, b) => o.grad(loss)(a, b), [w, x], [null, 0]),
      close,
    );
    const inside = (a: Tensor) =>
      o.scan(
        (c: Tensor, _: undefined): readonly [Tensor, Tensor] => [
          o.vmap((v: Tensor) => o.mul(v, o.sum(v)))(c),
          o.sum(c),
        ],
        a,
        undefined,
        { length: 2 },
      ).carry;
    const twice = (a: Tensor) =>
      o.mul(
        o.mul(a, o.sum(a, { axis: 1, keepDims: true })),
        o.sum(o.mul(a, o.sum(a, { axis: 1, keepDims: true })), { axis: 1, keepDims: true }),
      );
    const z = r.tensor([members, 3], 0, 1);
    for (const backend of backends())
      expectClose(backend, o.compile(inside, { backend })(z), twice(z), close);
    const g = (fn: (a: Tensor) => Tensor) =>
      o.compile((a: Tensor) => o.gradient(weigh(fn(a)), a), { backend: "reference" })(z);
    expectClose("gradient", g(inside), g(twice), close);
  });

  it("takes trees of arguments and results, and numbers", () => {
    const fn = ({ p, q }: { p: Tensor; q: Tensor[] }, s: Tensor) => ({
      sum: o.mul(o.add(p, q[0]), s),
      same: q[1],
    });
    const args = { p: r.tensor([4, 2]), q: [r.tensor([2]), r.tensor([3, 4])] };
    const out = o.vmap(fn as (a: typeof args, s: Tensor | number) => { sum: Tensor; same: Tensor }, {
      in: [{ p: 0, q: [null, 1] }, null],
    })(args, 2);
    expectClose("sum", out.sum, o.mul(o.add(args.p, args.q[0]), 2));
    expectClose("same", out.same, o.transpose(args.q[1]));
  });

  it("reads captured tensors, and repeats results that all members share", () => {
    const w = r.tensor([3]);
    const out = o.vmap((x: Tensor) => [o.mul(x, w), w])(r.tensor([2, 3]));
    expectClose("shared", out[1], o.broadcastTo(w, [2, 3]));
    const f = o.compile((x: Tensor) => o.vmap((v: Tensor) => o.mul(v, w))(x));
    const x = o.ones([2, 3]);
    expectClose("before", f(x), o.broadcastTo(w, [2, 3]));
    w.set(5);
    expectClose("after", f(x), o.full([2, 3], 5));
  });

  it("takes a function for each member, with its own captured tensors", () => {
    const shared = o.full([3], 10);
    const own = [o.full([3], 2), o.full([3], 5)];
    const each = own.map((w) => (x: Tensor) => o.add(o.mul(x, w), shared));
    const f = o.compile((x: Tensor) => o.vmap(each)(x));
    expect(f(o.ones([2, 3])).toArray()).toEqual([Array(3).fill(12), Array(3).fill(15)]);
    own[1].set(7);
    shared.set(1);
    expect(f(o.ones([2, 3])).toArray()).toEqual([Array(3).fill(3), Array(3).fill(8)]);
    expect(() => o.vmap(each)(o.ones([3, 3]))).toThrow("2 functions for 3 members");
    expect(() => o.vmap([each[0], (x: Tensor) => o.mul(x, own[1])])(o.ones([2, 3]))).toThrow(
      "members differ",
    );
  });

  it("sums stacked results in the same order as for a single member", () => {
    const summed = (xs: Tensor) => {
      const step = (carry: Tensor, x: Tensor) => {
        const next = o.add(o.mul(carry, 0.5), x);
        return [next, next] as const;
      };
      return o.mean(o.scan(step, o.zeros([4]), xs).ys);
    };
    const xs = f(n, 32, 4);
    for (const backend of backends()) {
      const alone = o.compile(summed, { backend });
      const one = Array.from({ length: n }, (_, i) =>
        alone(o.slice(xs, [[i, i + 1]]).reshape([32, 4])).item(),
      );
      const all = o.compile((x: Tensor) => o.vmap(summed)(x), { backend })(xs);
      expect([...all.data], backend).toEqual(one);
    }
  });

  it("refuses invalid axes and arguments", () => {
    const add = o.vmap(o.add as (a: Tensor, b: Tensor) => Tensor);
    expect(() => add(o.ones([2, 3]), o.ones([4, 3]))).toThrow(
      /vmap: argument 1 \[4, 3\] has 4 members on axis 0, but argument 0 \[2, 3\] has 2.*vmap\.test\.ts:\d+/,
    );
    expect(() => add(o.ones([2, 3]), o.ones([]))).toThrow(/vmap argument 1: axis 0 does not exist/);
    const dotted = o.vmap((p: { "a.b": Tensor; a: { b: Tensor } }) => o.add(p["a.b"], p.a.b), {
      in: [{ "a.b": 0, a: { b: null } }],
    });
    expect(dotted({ "a.b": o.ones([2]), a: { b: o.ones([3]) } }).shape).toEqual([2, 3]);
    expect(() => o.vmap(o.neg, { in: null })(o.ones([2]))).toThrow(/no argument is mapped/);
    expect(() =>
      o.vmap(o.add as (a: Tensor, b: Tensor) => Tensor, { in: [0] })(o.ones([2]), o.ones([2])),
    ).toThrow(/`in` has no entry for argument 1/);
    expect(() => o.vmap((x: Tensor) => o.mul(x, x.item()))(o.ones([2]))).toThrow(/not known while/);
    expect(() => o.vmap((async (x: Tensor) => x) as never as (x: Tensor) => Tensor)(o.ones([2]))).toThrow(
      /asynchronous/,
    );
    expectClose("afterwards", add(o.ones([2]), o.ones([2])), o.full([2], 2));
  });
});
