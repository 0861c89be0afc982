import { describe, expect, it } from "vitest";
import * as o from "./index.ts";
import { type Tensor, tensor } from "./index.ts";
import { backends } from "./testing/backends.ts";

/** The smallest programs that once gave a wrong number on a compiling back end. */
for (const backend of backends()) {
  /** Compares compiled with eager results, NaN and the sign of zeros included. */
  const same = (f: (...x: Tensor[]) => o.Tree, ...x: Tensor[]): void => {
    const numbers = (t: o.Tree) => o.leaves(t).map((leaf) => [...(leaf as Tensor).data]);
    expect(numbers(o.compile(f, { backend })(...x))).toEqual(numbers(f(...x)));
  };

  describe(`programs that once gave wrong numbers (${backend})`, () => {
    it("sinking: a moved value is read from its new location", () => {
      const alive = tensor(
        [
          [1, 0],
          [1, 1],
          [0, 1],
        ],
        { dtype: "bool" },
      );
      const x = tensor([
        [1, 2],
        [3, 4],
        [5, 6],
      ]);
      same(
        (x, alive) => {
          const w = o.where(alive, 2, 1);
          const l = o.sum(w, { axis: 0, keepDims: true });
          const k = o.sub(x, 1);
          return {
            first: o.sum(o.mul(k, w)),
            second: o.sum(o.mul(o.mul(k, o.sub(o.sum(w), l)), w)),
          };
        },
        x,
        alive,
      );
    });

    it("the bits of NaN do not depend on the operation that returned it, nor on the processor", () => {
      const [a, b] = [tensor([-1, 1]), tensor([[Number.NEGATIVE_INFINITY], [Number.NEGATIVE_INFINITY]])];
      const bits = (x: Tensor) => o.bitcast(x, "i32");
      const f = (a: Tensor, b: Tensor) => [bits(o.matmul(a, b)), bits(o.mul(b, 0)), bits(o.neg(o.mul(b, 0)))];
      same(f, a, b);
      expect([...f(a, b)[1].data]).toEqual([0x7fc00000, 0x7fc00000]);
    });

    it("a gather from constants", () => {
      const x = tensor([
        [1, 2],
        [3, 4],
      ]);
      const i = tensor([0, 1, 1], { dtype: "i32" });
      same((x, i) => [o.cumsum(o.sum(x, 1), 0), o.take(o.full([2], 7), i, 0)], x, i);
      same((x, i) => [o.cumsum(o.sum(x, 1), 0), o.take(o.iota([4]), i, 0)], x, i);
    });

    it("gradients of the sum of a scatter, of segments and of an update in a stack", () => {
      const x = tensor([1, 2, 3]);
      const i = tensor([2, 0, 2], { dtype: "i32" });
      const s = tensor([5, 6, 7]);
      const both = (f: (x: Tensor, s: Tensor) => Tensor) => (x: Tensor, s: Tensor) =>
        o.valueAndGradient(([x, s]: Tensor[]) => f(x, s))([x, s]).gradient;
      same((x, s, i) => both((x, s) => o.sum(o.scatter(x, i, s, 0)))(x, s), x, s, i);
      same((x, s, i) => both((x, s) => o.sum(o.mul(s, o.take(o.segmentSum(x, i, 3), i))))(x, s), x, s, i);
      same((x, i) => o.grad((x: Tensor) => o.sum(o.segmentSum(x, i, 3)))(x), x, i);
      const at = tensor(1, { dtype: "i32" });
      same(
        (x, s, at) => both((x, s) => o.sum(o.stack([o.dynamicUpdate(x, o.slice(s, [[0, 2]]), at), s])))(x, s),
        x,
        s,
        at,
      );
    });

    it("a dynamic slice of a reshaped slice", () => {
      const x = tensor([
        [0, 0, 0, 0, 0, 0],
        [1, 2, 3, 4, 5, 6],
        [0, 0, 0, 0, 0, 0],
      ]);
      const at = tensor(2, { dtype: "i32" });
      same((x, at) => o.dynamicSlice(o.reshape(o.slice(x, [[1, 2]]), [6]), at, 3, 0), x, at);
    });

    it("iota that is used elementwise and carried by a loop", () => {
      same(
        (x) =>
          [
            o.oneHot(o.iota([3]), 3),
            o.scan((c: Tensor, v: Tensor) => [o.add(c, o.cast(v, "i32")), c], o.iota([3]), x).carry,
          ] as never,
        tensor([
          [1, 1, 1],
          [2, 2, 2],
        ]),
      );
    });

    it("extremes of rows with NaN", () => {
      const row = Array.from({ length: 33 }, (_, i) => i + 1);
      for (const at of [0, 5, 16, 31, 32]) {
        const x = tensor(row.map((v, i) => (i === at ? Number.NaN : i === 7 ? -100 : v)));
        same((x) => [o.min(x), o.max(x)], x);
      }
    });

    it("the gradient of a scatter goes to the last writer", () => {
      const f = (s: Tensor) =>
        o.sum(o.mul(o.scatter(o.zeros([3]), tensor([1, 1, 0], { dtype: "i32" }), s, 0), tensor([1, 2, 3])));
      const g = o.compile((s: Tensor) => o.grad(f)(s), { backend })(tensor([1, 1, 1]));
      expect(g.toArray()).toEqual([0, 2, 1]);
    });

    it("the 32nd value of a kernel is a loop's (in C it was called i32)", () => {
      const x = o.reshape(o.cast(o.iota([14 * 3 * 33]), "f32"), [14, 3, 33]);
      same((x) => {
        const { values, indices } = o.topK(x, 2, 1);
        return [o.prod(indices, 0), o.round(values)];
      }, x);
    });

    it("a tensor that is given twice is two variables", () => {
      const f = (x: Tensor) => o.grad(([a, _]: Tensor[]) => o.sum(a))([x, x]);
      const x = tensor([3]);
      for (const gradient of [f(x), o.compile(f, { backend })(x)])
        expect(gradient.map((g) => g.toArray())).toEqual([[1], [0]]);
    });

    it("writing parts of a tensor into itself", () => {
      const x = tensor([1, 2, 3, 4]);
      const at = (values: number[]) => tensor(values, { dtype: "i32" });
      same((x, i) => o.scatter(o.mul(x, 2), i, o.mul(x, 2), 0), x, at([2, 0, 3, 1]));
      for (const start of [0, 1])
        same(
          (x, i) => o.dynamicUpdate(o.mul(x, 2), o.slice(o.mul(x, 2), [[1 - start, 4 - start]]), i),
          x,
          tensor(start, { dtype: "i32" }),
        );
    });

    it("bytes wrap with every operation", () => {
      const x = tensor([253, 3], { dtype: "u8" });
      same(
        (x) => [
          o.gt(x, o.add(x, x)),
          o.cast(o.sub(x, 5), "f32"),
          o.cast(o.mul(x, x), "i32"),
          o.max(o.cast(o.add(x, x), "i32")),
        ],
        x,
      );
      same(
        (x) => [o.add(o.cast(o.cast(x, "u8"), "i32"), 1), o.neg(o.cast(x, "i32"))],
        tensor([300, -1, 255.9]),
      );
    });

    it("numbers that their type cannot represent", () => {
      same(() => [
        o.full([3], 2, "bool"),
        o.full([3], 300, "u8"),
        o.full([3], -1.5, "i32"),
        o.full([3], -1, "u32"),
      ]);
      for (const make of [
        () => tensor([1.5], { dtype: "i32" }),
        () => tensor([[1], [2 ** 40]], { dtype: "i32" }),
        () => tensor(Float32Array.of(Number.NaN), { dtype: "i32" }),
        () => tensor(Int32Array.of(-1), { dtype: "u32" }),
        () => o.scalar(256, "u8"),
        () => o.scalar(0, "i32").set(0.5),
        () => o.zeros([1], "u8").set([-1]),
      ])
        expect(make).toThrow(/the number \S+ is not a valid (i32|u32|u8)\. Use an integer from/);
      expect(
        tensor([1.5, 2 ** 40], { dtype: "f32" })
          .cast("i32")
          .toArray(),
      ).toEqual([1, 2 ** 31 - 1]);
      const truth = o.full([2], 0, "bool").set(7);
      expect([...truth.data, ...truth.set([0, 3]).data]).toEqual([1, 1, 0, 1]);
    });

    it("eigenvectors of a matrix with NaN", () => {
      same(
        (x) => o.svd(x),
        tensor([
          [1, 2],
          [3, Number.POSITIVE_INFINITY],
          [0, 1],
        ]),
      );
    });

    it("left singular vectors of a matrix without full rank", () => {
      const f = (x: Tensor) => o.svd(o.broadcastTo(x, [2, 2]));
      // A fused product leaves a residual in row 2, which was divided by 1e-30.
      const { u } = o.compile(f, { backend })(tensor([[-1], [3]]));
      expect([u.data[1], u.data[3]]).toEqual([0, 0]);
    });

    it("logSumExp of infinities", () => {
      const [up, down, none] = [Infinity, -Infinity, Number.NaN];
      const rows = tensor([
        [1, up],
        [up, down],
        [down, down],
        [up, none],
      ]);
      const f = (x: Tensor) => o.logSumExp(x);
      same(f, rows);
      expect([...f(rows).data]).toEqual([up, up, down, none]);
    });

    it("sines of large numbers", () => {
      const x = tensor([8192, 8192.001, -131072, 1e9, -1e30, 3.4028234663852886e38]);
      const f = (x: Tensor) => [o.sin(x), o.cos(x)];
      same(f, x);
      const [sin, cos] = f(x);
      x.data.forEach((v, i) => {
        expect(sin.data[i]).toBeCloseTo(Math.sin(v), 6);
        expect(cos.data[i]).toBeCloseTo(Math.cos(v), 6);
      });
      same(f, tensor([Infinity, -Infinity, Number.NaN]));
    });

    it("a product of zero that is negated", () => {
      same((x, y) => o.neg(o.einsum("ij,i->j", x, y)), tensor([[-3]]), tensor([0]));
      same((x, y) => o.neg(o.einsum("ij,i->j", x, y)), o.full([1, 40], -3), tensor([0]));
    });

    it("a kernel that a C compiler considers free of side effects", () => {
      same((x) => o.maximum(o.permute(x, [1, 2, 0]), x), o.ones([4, 4, 1]));
    });

    it("functions at the ends of their ranges", () => {
      const x = tensor([3.4028234663852886e38, 1e38, 1e30, Infinity, Number.NaN, -1, -2]);
      same((x) => o.log1p(x), x);
      const [largest, large] = o.log1p(x).data;
      expect(largest).toBeCloseTo(88.72284, 4);
      expect(large).toBeCloseTo(87.49823, 4);
      const ends = tensor([1, -1, 0.5, 1.5]);
      same((x) => o.erfInverse(x), ends);
      expect([...o.erfInverse(ends).data].slice(0, 2)).toEqual([Infinity, -Infinity]);
      const below = tensor([-6.000397682189941, -0.5]);
      same((x) => [o.digamma(x), o.trigamma(x)], below);
      expect([...o.digamma(below).data, ...o.trigamma(below).data]).toEqual(Array(4).fill(Number.NaN));
    });

    it("the logarithm of the gamma function at large arguments", () => {
      const x = tensor([Infinity, 3e38, 1e36, 5, Number.NaN]);
      same((x) => o.lgamma(x), x);
      const [end, , large, five, none] = o.compile(o.lgamma, { backend })(x).data;
      expect([end, Math.fround(Math.log(24)), none]).toEqual([Infinity, five, Number.NaN]);
      expect(large / (1e36 * (Math.log(1e36) - 1))).toBeCloseTo(1, 6);
    });

    it("remainders", () => {
      const x = tensor([1, 10, 9999999, 1e10, -1e-9, 5, -5, 1, -1, 3]);
      const y = tensor([0.1, -3.3, 0.7, 3, 0.1, Infinity, Infinity, 1e-20, 0, 1e38]);
      same((x, y) => o.mod(x, y), x, y);
      const left = [...o.mod(x, y).data];
      // Computed in doubles from the single-precision inputs; doubles can represent the quotient.
      for (const i of [0, 1, 2]) {
        const [a, b] = [x.data[i], y.data[i]];
        expect(left[i]).toBe(Math.fround(a - Math.floor(a / b) * b));
      }
      expect(left.slice(3)).toEqual([0, Math.fround(0.1), 5, Infinity, 0, Number.NaN, 3]);
    });

    /** Gradients of the sum of f, one operation at a time, after comparison with the compiled ones. */
    const slopes = (f: (x: Tensor) => Tensor, x: Tensor): number[] => {
      const g = o.grad((x: Tensor) => o.sum(f(x)));
      same(g, x);
      return [...g(x).data];
    };

    it("tanh reaches 1, and functions of it have no gradient beyond", () => {
      const far = tensor([9.03, 20, 1e6, 1e20, 1e38]);
      for (const sign of [1, -1]) {
        const x = o.mul(far, sign);
        same((x) => [o.tanh(x), o.gelu(x), o.gelu(x, "erf"), o.mish(x), o.silu(x), o.softplus(x)], x);
        expect([...o.tanh(x).data]).toEqual(Array(5).fill(sign));
        expect(slopes(o.tanh, x)).toEqual([0, 0, 0, 0, 0]);
        const [, ...beyond] = far.data;
        for (const f of [o.gelu, (x: Tensor) => o.gelu(x, "erf"), o.mish, o.silu, o.softplus]) {
          const [, ...values] = f(x).data;
          values.forEach((v, i) => {
            expect(v).toBeCloseTo(sign > 0 ? beyond[i] : 0, 6);
          });
          const [, ...first] = slopes((x) => f(x), x);
          for (const v of first) expect(v).toBeCloseTo(sign > 0 ? 1 : 0, 6);
          const [, ...second] = slopes(
            o.grad((x: Tensor) => o.sum(f(x))),
            x,
          );
          for (const v of second) expect(v).toBeCloseTo(0, 6);
        }
      }
      const ends = tensor([Infinity, -Infinity, Number.NaN]);
      same((x) => o.tanh(x), ends);
      expect([...o.tanh(ends).data]).toEqual([1, -1, Number.NaN]);
    });

    it("gradients where a rule multiplies 0 and infinity, or cancels", () => {
      const elu = slopes((x) => o.elu(x), tensor([0, -16, -50, 2, Infinity, -Infinity]));
      [1, 1.1253517e-7, 1.9287499e-22, 1, 1, 0].forEach((v, i) => {
        expect(Math.abs(elu[i] - v)).toBeLessThanOrEqual(1e-6 * v);
      });
      const powers = tensor([0, 0, 0, 1, 2]);
      expect(slopes((x) => o.pow(x, powers), tensor([0, 2, -0, 0, 0]))).toEqual([0, 0, 0, 1, 0]);
      const curve = o.grad((x: Tensor) => o.sum(o.pow(x, powers)));
      expect(slopes(curve, tensor([0, 2, -0, 0, 0]))).toEqual([0, -0, 0, 0, 2]);
      expect(slopes((x) => o.huber(x), tensor([Infinity, -Infinity, 1, -1, 0.5]))).toEqual([
        1, -1, 1, -1, 0.5,
      ]);
      expect(slopes((x) => o.norm(x), tensor([0, 0]))).toEqual([0, 0]);
      expect(slopes((x) => o.std(x), tensor([2, 2]))).toEqual([0, 0]);
      expect(
        slopes(
          o.grad((x: Tensor) => o.norm(x)),
          tensor([0, 0]),
        ),
      ).toEqual([0, 0]);
    });

    it("gradients of eigenvalues and singular values that are equal or 0", () => {
      const matrix = (...values: number[]) => tensor(values, { shape: [2, 2] });
      expect(slopes((x) => o.eigh(x).values, matrix(2, 0, 0, 2))).toEqual([1, 0, 0, 1]);
      // The sum of squares of all vectors does not depend on their choice.
      expect(slopes((x) => o.square(o.eigh(x).vectors), matrix(2, 0, 0, 2))).toEqual([0, 0, 0, 0]);
      expect(slopes((x) => o.svd(x).s, matrix(1, 0, 0, 1))).toEqual([1, 0, 0, 1]);
      // For a value of 0 any gradient within the unit ball is valid; ours is 0.
      expect(slopes((x) => o.svd(x).s, matrix(3, 0, 0, 0))).toEqual([1, 0, 0, 0]);
      for (const v of slopes((x) => o.svd(x).s, matrix(1, 1, 1, 1)))
        expect(Math.abs(v)).toBeLessThanOrEqual(1.001);
    });

    it("powers of zeros, ones and infinities follow C", () => {
      const [up, none, largest] = [Infinity, Number.NaN, 3.4028234663852886e38];
      const cases = [
        [1, up, 1],
        [1, -up, 1],
        [-1, up, 1],
        [-1, -up, 1],
        [1, none, 1],
        [-1, none, none],
        [none, 0, 1],
        [-up, 0.5, up],
        [-up, -0.5, 0],
        [-up, 3, -up],
        [-up, -3, -0],
        [-up, 2, up],
        [-0, -1, -up],
        [-0, -3, -up],
        [-0, 3, -0],
        [-0, -2, up],
        [-0, 0.5, 0],
        [-0, -0.5, up],
        [-2, 0.5, none],
        [-0.5, up, 0],
        [-0.5, -up, up],
        [largest, 1, largest],
        [-largest, 1, -largest],
      ];
      const [x, y] = [0, 1].map((i) => tensor(cases.map((c) => c[i])));
      same((x, y) => o.pow(x, y), x, y);
      expect([...o.pow(x, y).data]).toEqual(cases.map((c) => c[2]));
    });

    it("a loop's carry is matched by name", () => {
      type State = { a: Tensor; b: Tensor };
      const turn = (a: Tensor, b: Tensor, reverse: boolean, count?: number) =>
        o.scan(
          (s: State, x: Tensor) => [
            { b: o.add(s.b, x), a: s.a },
            { b: s.b, a: x },
          ],
          { a, b },
          o.ones([2]),
          {
            reverse,
            count,
          },
        );
      for (const reverse of [false, true])
        for (const count of [undefined, 1, 0]) {
          const f = (a: Tensor, b: Tensor) => turn(a, b, reverse, count);
          same(f, tensor(0), tensor(100));
          const { carry } = o.compile(f, { backend })(tensor(0), tensor(100));
          expect([carry.a.item(), carry.b.item()]).toEqual([0, 100 + (count ?? 2)]);
        }
    });

    it("a loop without iterations", () => {
      const loop = (z: Tensor, x: Tensor) =>
        o.scan((s: Tensor, x: Tensor) => [o.add(s, x), o.mul(s, x)], z, x);
      same((z) => loop(z, o.zeros([0])), tensor(5));
      same((z) => loop(z, o.zeros([0, 2])), tensor([5, 6]));
      same((z, x) => loop(z, o.mul(x, 2)), tensor([5, 6]), o.zeros([0, 2]));
      const whole = (z: Tensor) =>
        o.add(o.sum(loop(z, o.zeros([0, 2])).carry), o.sum(loop(z, o.zeros([0, 2])).ys));
      same((z) => o.grad(whole)(z), tensor([5, 6]));
      same((z) => o.vmap((z: Tensor) => loop(z, o.zeros([0])).carry)(z), tensor([5, 6]));
      expect(
        o
          .compile((z: Tensor) => loop(z, o.zeros([0])).carry, { backend })(tensor(5))
          .item(),
      ).toBe(5);
      expect(
        o
          .compile(o.grad(whole), { backend })(tensor([5, 6]))
          .toArray(),
      ).toEqual([1, 1]);
    });

    it("a sum of negative zeros is zero", () => {
      const x = o.full([3, 1, 2, 20], -0);
      same((x) => [0, 1, 2, 3].map((axis) => o.div(1, o.sum(x, axis))), x);
      same((x) => [0, 1, 2, 3].map((axis) => o.div(1, o.cumsum(x, axis))), x);
      same((x) => o.div(1, o.matmul(o.reshape(x, [3, 40]), o.ones([40, 2]))), x);
      same((x) => o.div(1, o.matmul(o.reshape(x, [60, 2]), o.ones([2, 3]))), x);
    });
  });
}
