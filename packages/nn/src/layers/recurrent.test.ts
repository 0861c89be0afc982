import {
  add,
  compile,
  random,
  reshape,
  slice,
  square,
  sum,
  type Tensor,
  tensor,
  transpose,
  treeMap,
} from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { ffm, gru, lstm, minGru, mlp, type Recurrent, recurrentEncoder } from "../index.ts";
import { expectClose, expectGradient, expectTorch } from "../testing.ts";

const key = random.key(5);
const xs = random.normal(random.key(1), [5, 2, 3]);
const row = (x: Tensor, t: number) => reshape(slice(x, [[t, t + 1]]), x.shape.slice(1));
const layers: [string, Recurrent][] = [
  ["gru", gru({ inputs: 3, units: 4 }) as Recurrent],
  ["lstm", lstm({ inputs: 3, units: 4, forgetBias: 1 }) as Recurrent],
  ["minGru", minGru({ inputs: 3, units: 4, span: 8 }) as Recurrent],
  ["ffm", ffm({ inputs: 3, units: 4, traces: 2, periods: 2, span: 8 }) as Recurrent],
  [
    "recurrentEncoder",
    recurrentEncoder({
      inputs: 6,
      units: 4,
      kind: "lstm",
      layers: 2,
      encoder: mlp({ inputs: 3, hidden: [6] }),
    }) as unknown as Recurrent,
  ],
];

describe("against PyTorch", () => {
  it("the LSTM over time", () => {
    const layer = lstm({ inputs: 3, units: 4 });
    expectTorch(
      "lstm over time, gates i f g o, zero state",
      (x, wi, wh, bi, bh) =>
        layer.sequence({ input: transpose(wi), hidden: transpose(wh), bias: add(bi, bh) }, x, layer.start(2))
          .output,
    );
  });
  it("the GRU over time", () => {
    const layer = gru({ inputs: 3, units: 4 });
    expectTorch(
      "gru over time, gates r z n, zero state",
      (x, wi, wh, inputBias, hiddenBias) =>
        layer.sequence(
          { input: transpose(wi), hidden: transpose(wh), inputBias, hiddenBias },
          x,
          layer.start(2),
        ).output,
    );
  });
});

describe.each(layers)("%s", (_, layer) => {
  const params = layer.init(key);
  it("gives the same step by step, in a sequence, and compiled", () => {
    const all = layer.sequence(params, xs, layer.start(2));
    expect(all.output.shape).toEqual([5, 2, 4]);
    let state = layer.start(2);
    for (let t = 0; t < 5; t++) {
      const step = layer.step(params, row(xs, t), state);
      state = step.state;
      expectClose(step.output, row(all.output, t), 1e-6);
    }
    expectClose(
      compile((x: Tensor) => layer.sequence(params, x, layer.start(2)).output)(xs),
      all.output,
      1e-6,
    );
  });
  it("resets at the beginning of an episode, row by row", () => {
    const resets = tensor([
      [false, false],
      [false, false],
      [true, false],
      [false, false],
      [false, false],
    ]);
    const { output } = layer.sequence(params, xs, layer.start(2), resets);
    const plain = layer.sequence(params, xs, layer.start(2)).output;
    const fresh = layer.sequence(params, slice(xs, [[2, 5]]), layer.start(2)).output;
    for (let t = 0; t < 5; t++) {
      expectClose(row(row(output, t), 1), row(row(plain, t), 1), 1e-6);
      expectClose(row(row(output, t), 0), row(row(t < 2 ? plain : fresh, t < 2 ? t : t - 2), 0), 1e-6);
    }
    const used = treeMap((s) => add(s, 1), layer.start(2));
    expectClose(
      layer.step(params, row(xs, 0), used, tensor([true, true])).output,
      layer.step(params, row(xs, 0), layer.start(2)).output,
      1e-6,
    );
  });
  it("has the gradient of finite differences", () => {
    const resets = tensor([
      [false, false],
      [true, false],
      [false, false],
      [false, true],
      [false, false],
    ]);
    expectGradient((p) => sum(square(layer.sequence(p, xs, layer.start(2), resets).output)), params);
  });
});

it("the minimal GRU mixes its state with a function of the input only", () => {
  const layer = minGru({ inputs: 1, units: 1 });
  // Update σ(2x - 1), candidate 3x + 0.5.
  const params = { input: tensor([[2, 3]]), bias: tensor([-1, 0.5]) };
  const gate = (x: number) => 1 / (1 + Math.exp(1 - 2 * x));
  let h = 0.25;
  let state = tensor([[h]]);
  for (const x of [1, -0.5, 2]) {
    h = (1 - gate(x)) * h + gate(x) * (3 * x + 0.5);
    ({ state } = layer.step(params, tensor([[x]]), state));
    expect(state.item()).toBeCloseTo(h, 5);
  }
});

it("the minimal GRU's units are initialised with memories of 2 to `span` steps", () => {
  const { bias } = minGru({ inputs: 1, units: 3, span: 32 }).init(key);
  const lasting = Array.from(bias.data, (b) => 1 + Math.exp(-b));
  [2, 8, 32, 2, 2, 2].forEach((steps, i) => void expect(lasting[i]).toBeCloseTo(steps, 4));
});

it("requires a time axis", () => {
  const layer = gru({ inputs: 3, units: 4 });
  expect(() => layer.sequence(layer.init(key), row(xs, 0), layer.start(2))).toThrow("Use step()");
});
