import { describe, expect, expectTypeOf, it } from "vitest";
import * as o from "./index.ts";
import { Tensor } from "./index.ts";
import { expectSameBits } from "./testing/compare.ts";

describe("methods of Tensor", () => {
  const x = o.tensor([
    [1, -2, 3],
    [0.5, 4, -1],
  ]);

  it("give the results of the functions", () => {
    expectSameBits("chain", x.mul(2).add(1).relu().sum(1), o.sum(o.relu(o.add(o.mul(x, 2), 1)), 1));
    expectSameBits("matmul", x.matmul(x.transpose()), o.matmul(x, o.transpose(x)));
    expectSameBits(
      "slice",
      x
        .slice([null, [0, 2]])
        .reshape([-1])
        .cast("i32"),
      o.cast(o.reshape(o.slice(x, [null, [0, 2]]), [-1]), "i32"),
    );
    expectSameBits(
      "keepDims",
      x
        .sub(x.max({ axis: 1, keepDims: true }))
        .exp()
        .log(),
      o.log(o.exp(o.sub(x, o.max(x, { axis: 1, keepDims: true })))),
    );
    expectSameBits("clamp", x.clamp(-1, 1), o.clamp(x, -1, 1));
    expectSameBits("topK", x.topK(2).values, o.topK(x, 2).values);
    expect(x.gt(0).toArray()).toEqual([
      [true, false, true],
      [true, true, false],
    ]);
    expect(x.split([1, 2], 1).map((t) => t.shape)).toEqual([
      [2, 1],
      [2, 2],
    ]);
  });

  it("exist for every declared name, and are not enumerable", () => {
    expectTypeOf(x.mean).toEqualTypeOf<(axis?: o.Axes) => Tensor>();
    expectTypeOf(x.cast).parameter(0).toEqualTypeOf<o.DType>();
    for (const name of ["add", "neg", "softmax", "stopGradient", "argsort", "oneHot", "bitcast", "norm"]) {
      expect(typeof (x as unknown as Record<string, unknown>)[name]).toBe("function");
    }
    expect(Object.keys(Tensor.prototype)).toEqual([]);
  });

  it("work in traced functions and in gradients", () => {
    const f = o.compile((a: Tensor, b: Tensor) => a.matmul(b).tanh().mean());
    expectSameBits("compiled", f(x, x.transpose()), x.matmul(x.transpose()).tanh().mean());
    expect(
      o
        .grad((a: Tensor) => a.square().sum())(x)
        .toArray(),
    ).toEqual(x.mul(2).toArray());
  });

  it("throw the errors of the functions", () => {
    expect(() => x.add(o.ones([2]))).toThrow(
      /add: shapes \[2, 3\] and \[2\] cannot be broadcast.*methods\.test\.ts/,
    );
    expect(() => x.sum(2)).toThrow(/sum: axis 2 does not exist/);
  });
});
