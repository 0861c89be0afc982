import {
  compile,
  leaves,
  mul,
  random,
  reshape,
  slice,
  square,
  sum,
  type Tensor,
  tensor,
} from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { conv2d, impalaCnn, mlp, natureCnn, parameterCount, transformerEncoder } from "../index.ts";
import { orthogonalityError } from "../init/orthogonal.ts";
import { expectClose, expectGradient } from "../testing.ts";

const key = random.key(4);
const row = (x: Tensor, t: number) => reshape(slice(x, [[t, t + 1]]), x.shape.slice(1));

describe("mlp", () => {
  const x = random.normal(random.key(1), [3, 4]);
  it("computes its formula", () => {
    const net = mlp({ inputs: 1, hidden: [2], outputs: 1, activation: "relu" });
    const params = {
      layers: [
        { weight: tensor([[1, -1]]), bias: tensor([0, 1]) },
        { weight: tensor([[2], [3]]), bias: tensor([0.5]) },
      ],
    };
    expect(net.apply(params, tensor([[2], [-2]])).toArray()).toEqual([[4.5], [9.5]]);
  });
  it("is initialised as in PPO: orthogonal with gains, zero biases", () => {
    const net = mlp({ inputs: 4, hidden: [8, 6], outputs: 2, outputGain: 0.01 });
    const { layers } = net.init(key);
    expect(parameterCount({ layers })).toBe(4 * 8 + 8 + 8 * 6 + 6 + 6 * 2 + 2);
    expect(orthogonalityError(mul(layers[0].weight, Math.SQRT1_2))).toBeLessThan(1e-5);
    expect(Math.max(...layers[2].weight.data.map(Math.abs))).toBeLessThanOrEqual(0.01);
    expect(layers.every((l) => l.bias!.data.every((b) => b === 0))).toBe(true);
  });
  it("has the gradient of finite differences, with norms too", () => {
    for (const normalise of [false, true]) {
      const net = mlp({ inputs: 4, hidden: [5, 5], outputs: 2, normalise });
      expectGradient((p) => sum(square(net.apply(p, x))), net.init(key));
    }
  });
  it("ends with the last hidden layer without outputs", () => {
    const net = mlp({ inputs: 4, hidden: [5] });
    expect(net.apply(net.init(key), x).shape).toEqual([3, 5]);
  });
});

describe("image networks", () => {
  it("natureCnn has the shapes of the paper", () => {
    const net = natureCnn({ shape: [1, 36, 36], outputs: 7 });
    const params = net.init(key);
    expect(params.output.weight.shape).toEqual([64, 7]);
    const bytes = tensor(new Uint8Array(36 * 36).fill(128), { shape: [1, 1, 36, 36] });
    const y = net.apply(params, bytes);
    expect(y.shape).toEqual([1, 7]);
    expectClose(
      y,
      net.apply(params, tensor(new Float32Array(36 * 36).fill(128 / 255), { shape: [1, 1, 36, 36] })),
      1e-5,
    );
    expect(() => natureCnn({ shape: [1, 20, 20] })).toThrow("too small");
    expect(() => net.apply(params, tensor([[1]]))).toThrow("expects images [batch, 1, 36, 36]");
  });
  it("natureCnn on Atari has 3136 features before the last layer", () => {
    const layout = natureCnn({ shape: [4, 84, 84], outputs: 1 });
    expect(layout.init(key).output.weight.shape).toEqual([3136, 1]);
  });
  it("impalaCnn halves three times and has the gradient of finite differences", () => {
    const net = impalaCnn({ shape: [2, 9, 8], channels: [2, 3], outputs: 4 });
    const params = net.init(key);
    expect(params.output.weight.shape).toEqual([3 * 3 * 2, 4]);
    const x = random.normal(random.key(6), [2, 2, 9, 8]);
    expect(net.apply(params, x).shape).toEqual([2, 4]);
    // Small steps: rectifiers and maxima have kinks.
    expectGradient((p) => sum(square(net.apply(p, x))), params, { step: 1e-3, tolerance: 6e-2 });
  });
  it("pools with padding that never wins", () => {
    const net = impalaCnn({ shape: [1, 2, 2], channels: [1], outputs: 1 });
    const params = net.init(key);
    const y = net.apply(
      params,
      tensor([
        [
          [
            [-5, -6],
            [-7, -8],
          ],
        ],
      ]),
    );
    expect(y.data.every((v) => Number.isFinite(v) && Math.abs(v) < 1e3)).toBe(true);
    expect(conv2d({ inputs: 1, outputs: 1, kernel: 3, padding: 1 }).init(key).weight.size).toBe(9);
  });
});

describe("transformerEncoder with chunks", () => {
  const cut = (chosen: number) =>
    transformerEncoder({
      inputs: 3,
      width: 8,
      heads: 2,
      context: 12,
      layers: 1,
      chunks: { steps: 2, chosen },
    });
  const net = cut(1);
  const params = net.init(key);
  const xs = random.normal(random.key(8), [9, 2, 3]);
  /** The outputs of the last step after a change of one earlier step. */
  const last = (of: typeof net, changed?: number) => {
    const data = Float32Array.from(xs.data);
    if (changed !== undefined) for (let i = 0; i < 6; i++) data[changed * 6 + i] += 1;
    const { output } = of.sequence(params, tensor(data).reshape([9, 2, 3]), of.start(2));
    return Array.from(output.data.slice(8 * 16, 9 * 16));
  };
  const differs = (a: readonly number[], b: readonly number[]) => a.some((v, i) => Math.abs(v - b[i]) > 1e-6);

  it("attends only to the chosen chunks of the past, and to all if all are chosen", () => {
    const [few, all] = [cut(1), cut(4)];
    const felt = (of: typeof net) => Array.from({ length: 8 }, (_, t) => differs(last(of, t), last(of)));
    expect(felt(all)).toEqual(Array(8).fill(true));
    // Relevance is a softmax over all chunks, so any change has some effect, but the attention outputs differ.
    expect(differs(last(few), last(all))).toBe(true);
  });

  it("has the gradient of finite differences if all chunks are attended to", () => {
    const all = cut(4);
    expectGradient((p) => sum(square(all.sequence(p, xs, all.start(2)).output)), params);
  });
});

describe.each([false, true])("transformerEncoder, gated: %s", (gated) => {
  const net = transformerEncoder({ inputs: 3, width: 8, heads: 2, context: 4, layers: 1, gated });
  const params = net.init(key);
  const xs = random.normal(random.key(1), [4, 2, 3]);
  it("gives the same step by step and in a sequence", () => {
    const all = net.sequence(params, xs, net.start(2));
    expect(all.output.shape).toEqual([4, 2, 8]);
    let state = net.start(2);
    for (let t = 0; t < 4; t++) {
      const step = net.step(params, row(xs, t), state);
      state = step.state;
      expectClose(step.output, row(all.output, t));
    }
    const compiled = compile((p: typeof params, x: Tensor) => net.sequence(p, x, net.start(2)).output);
    expectClose(compiled(params, xs), all.output);
  });
  it("carries its memory into the next sequence, up to the context length", () => {
    const long = random.normal(random.key(2), [7, 2, 3]);
    let state = net.start(2);
    const single: Tensor[] = [];
    for (let t = 0; t < 7; t++) {
      const step = net.step(params, row(long, t), state);
      state = step.state;
      single.push(step.output);
    }
    const first = net.sequence(params, slice(long, [[0, 3]]), net.start(2));
    const second = net.sequence(params, slice(long, [[3, 7]]), first.state);
    for (let t = 0; t < 4; t++) expectClose(row(second.output, t), single[t + 3]);
    // Step 6 attends only to steps 3 to 6: earlier steps have no effect.
    const recent = net.sequence(params, slice(long, [[3, 7]]), net.start(2));
    expectClose(row(recent.output, 3), single[6]);
  });
  it("ignores earlier episodes, row by row", () => {
    const resets = tensor([
      [false, false],
      [true, false],
      [false, false],
      [false, true],
    ]);
    const { output, state } = net.sequence(params, xs, net.start(2), resets);
    const fresh = net.sequence(params, slice(xs, [[1, 4]]), net.start(2)).output;
    const plain = net.sequence(params, xs, net.start(2)).output;
    for (let t = 1; t < 4; t++) expectClose(row(row(output, t), 0), row(row(fresh, t - 1), 0));
    for (let t = 0; t < 3; t++) expectClose(row(row(output, t), 1), row(row(plain, t), 1));
    expectClose(row(row(output, 3), 1), row(net.step(params, row(xs, 3), net.start(2)).output, 1));
    expect(state.begin.toArray()).toEqual([1, 3]);
  });
  it("has the gradient of finite differences", () => {
    expectGradient((p) => sum(square(net.sequence(p, xs, net.start(2)).output)), params, {
      step: 2e-3,
      tolerance: 4e-2,
    });
  });
  it("accepts sequences longer than its context, in one or several layers", () => {
    const deep = transformerEncoder({ inputs: 3, width: 8, heads: 2, context: 3, layers: 2, gated });
    const weights = deep.init(key);
    const long = random.normal(key, [8, 2, 3]);
    const resets = tensor(Array.from({ length: 8 }, (_, t) => [t === 2, t === 6]));
    const first = deep.sequence(weights, slice(long, [[0, 2]]), deep.start(2), slice(resets, [[0, 2]]));
    const whole = deep.sequence(weights, slice(long, [[2, 8]]), first.state, slice(resets, [[2, 8]]));
    let state = deep.start(2);
    for (let t = 0; t < 8; t++) {
      const step = deep.step(weights, row(long, t), state, row(resets, t));
      state = step.state;
      if (t >= 2) expectClose(row(whole.output, t - 2), step.output);
    }
    expect(whole.state.times.toArray()).toEqual(state.times.toArray());
    leaves(whole.state.caches).forEach((t, i) => void expectClose(t, leaves(state.caches)[i]));
  });
});
