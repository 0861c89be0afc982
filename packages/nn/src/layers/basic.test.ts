import { compile, mul, random, square, sum, type Tensor, tensor, transpose } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import {
  activation,
  conv1d,
  conv2d,
  dropout,
  embedding,
  layerNorm,
  linear,
  parameterCount,
  rmsNorm,
  sequential,
} from "../index.ts";
import { expectClose, expectGradient, expectTorch, torch } from "../testing.ts";

const key = random.key(3);

describe("linear", () => {
  it("agrees with PyTorch", () => {
    const layer = linear({ inputs: 5, outputs: 3 });
    expectTorch("linear x@w.T+b", (x, w, bias) => layer.apply({ weight: transpose(w), bias }, x));
  });
  it("matches a computation by hand, without a bias, and on many axes", () => {
    const layer = linear({ inputs: 2, outputs: 1, bias: false });
    expect(layer.init(key).bias).toBeUndefined();
    const weight = tensor([[2], [3]]);
    expect(
      layer
        .apply(
          { weight },
          tensor([
            [
              [1, 1],
              [0, 2],
            ],
          ]),
        )
        .toArray(),
    ).toEqual([[[5], [6]]]);
  });
  it("is initialised as in PyTorch: uniform within 1/√inputs", () => {
    const { weight, bias } = linear({ inputs: 16, outputs: 50 }).init(key);
    expect(Math.max(...weight.data.map(Math.abs))).toBeLessThanOrEqual(0.25);
    expect(Math.max(...weight.data.map(Math.abs))).toBeGreaterThan(0.24);
    expect(Math.max(...bias!.data.map(Math.abs))).toBeLessThanOrEqual(0.25);
  });
  it("names the features it expects", () => {
    const layer = linear({ inputs: 4, outputs: 1 });
    expect(() => layer.apply(layer.init(key), tensor([[1, 2, 3]]))).toThrow(
      "expects 4 features on the last axis, but got [1, 3]",
    );
  });
});

describe("convolutions", () => {
  it("agree with PyTorch", () => {
    const cases = torch().cases.filter((c) => c.op === "conv2d") as unknown as {
      attrs: { stride: number; padding: number; dilation: number };
    }[];
    let k = 0;
    expectTorch("conv2d", (x, weight, bias) => {
      const { stride, padding, dilation } = cases[k++].attrs;
      return conv2d({ inputs: 3, outputs: 4, kernel: 3, stride, padding, dilation }).apply(
        { weight, bias },
        x,
      );
    });
    expectTorch("conv1d", (x, weight) =>
      conv1d({ inputs: 3, outputs: 5, kernel: 3, stride: 2, padding: 1, bias: false }).apply({ weight }, x),
    );
  });
  it("make parameters of the right shape", () => {
    const { weight, bias } = conv2d({ inputs: 3, outputs: 8, kernel: 5 }).init(key);
    expect([weight.shape, bias!.shape]).toEqual([[8, 3, 5, 5], [8]]);
  });
});

describe("embedding and norms", () => {
  it("agree with PyTorch", () => {
    expectTorch(
      "embedding(ids, table)",
      (ids, table) => embedding({ count: 7, width: 4 }).apply({ table }, ids),
      { integers: [0] },
    );
    expectTorch("layer_norm eps1e-5", (x, scale, shift) => layerNorm(8).apply({ scale, shift }, x));
    expectTorch("rms_norm eps1e-6", (x, scale) => rmsNorm(8).apply({ scale }, x));
  });
});

describe("dropout", () => {
  it("does nothing without a key", () => {
    const x = tensor([1, 2, 3]);
    expect(dropout(0.5).apply({}, x)).toBe(x);
  });
  it("drops the given fraction and keeps the mean", () => {
    const y = dropout(0.25).apply({}, tensor(new Float32Array(4000).fill(1)), { key }).data;
    const zeros = y.filter((v) => v === 0).length;
    expect(zeros / 4000).toBeCloseTo(0.25, 1);
    expect(Array.from(y).reduce((s, v) => s + v, 0) / 4000).toBeCloseTo(1, 1);
    expect(new Set(y)).toEqual(new Set([0, Math.fround(1 / 0.75)]));
  });
  it("refuses a rate of 1", () => expect(() => dropout(1)).toThrow("below 1"));
});

describe("sequential", () => {
  const net = sequential(
    linear({ inputs: 3, outputs: 4 }),
    "tanh",
    dropout(0.5),
    linear({ inputs: 4, outputs: 2 }),
    (x: Tensor) => mul(x, 2),
  );
  const x = tensor([
    [0.1, -0.2, 0.3],
    [1, 2, -1],
  ]);
  it("runs its parts in order, eagerly and compiled", () => {
    const params = net.init(key);
    expect(parameterCount(params)).toBe(3 * 4 + 4 + 4 * 2 + 2);
    const y = net.apply(params, x);
    expect(y.shape).toEqual([2, 2]);
    expectClose(compile((p: typeof params, t: Tensor) => net.apply(p, t))(params, x), y, 1e-6);
    expectGradient((p) => sum(square(net.apply(p, x))), params);
  });
  it("gives each part a separate key", () => {
    const params = net.init(key);
    const once = net.apply(params, x, { key });
    expectClose(net.apply(params, x, { key }), once);
    expect(once.toArray()).not.toEqual(net.apply(params, x).toArray());
  });
  it("names the known activations", () =>
    expect(() => activation("swoosh" as "relu")).toThrow("Use one of relu, tanh"));
});
