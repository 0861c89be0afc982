import {
  compile,
  concat,
  crossEntropy,
  random,
  slice,
  type Tensor,
  tensor,
  valueAndGradient,
} from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { adam, clipGlobalNorm, type GptParams, gpt, type OptimiserState, parameterCount } from "../index.ts";
import { expectClose, expectGradient } from "../testing.ts";

const key = random.key(21);
const ints = (values: number[][]) => tensor(values, { dtype: "i32" });
const at = (t: Tensor, from: number, to: number) => slice(t, [null, [from, to]]);

describe.each(["gpt2", "llama"] as const)("gpt in the style of %s", (style) => {
  const model = gpt({
    layers: 2,
    width: 8,
    heads: 2,
    context: 6,
    vocabulary: 11,
    style,
    keyHeads: style === "llama" ? 1 : 2,
  });
  const params = model.init(key);
  const tokens = ints([
    [1, 5, 2, 9, 10],
    [3, 3, 0, 7, 4],
  ]);
  it("gives logits for every position, the same with a cache", () => {
    const whole = model.apply(params, tokens);
    expect(whole.shape).toEqual([2, 5, 11]);
    const first = model.step(params, at(tokens, 0, 3), model.start(2));
    const step = compile((p: GptParams, t: Tensor, s: typeof first.state) => model.step(p, t, s), {
      donate: [2],
    });
    let { state } = first;
    expectClose(first.output, at(whole, 0, 3));
    for (let t = 3; t < 5; t++) {
      const next = step(params, at(tokens, t, t + 1), state);
      expectClose(next.output, at(whole, t, t + 1));
      state = next.state;
    }
    expect(state.position.item()).toBe(5);
  });
  it("continues prompts of different lengths", () => {
    const whole = model.apply(params, tokens);
    const filled = model.step(params, at(tokens, 0, 3), model.start(2, { perRow: true }));
    const state = { ...filled.state, position: tensor([1, 3], { dtype: "i32" }) };
    const next = ints([[5], [7]]);
    const { output } = model.step(params, next, state);
    expectClose(
      output,
      concat([
        slice(whole, [
          [0, 1],
          [1, 2],
        ]),
        slice(whole, [
          [1, 2],
          [3, 4],
        ]),
      ]),
    );
  });
  it("has the gradient of finite differences", () => {
    const labels = ints([
      [5, 2, 9, 10, 0],
      [3, 0, 7, 4, 1],
    ]);
    const wide = { ...params, blocks: params.blocks };
    expectGradient((p) => crossEntropy(model.apply(p, tokens), labels), wide, { step: 3e-3 });
  });
});

it("memorises a sequence, one compiled update at a time", () => {
  const model = gpt({ layers: 1, width: 8, heads: 2, context: 6, vocabulary: 11 });
  const optimiser = adam({ learningRate: 1e-2 });
  const tokens = ints([
    [1, 5, 2, 9, 10],
    [3, 3, 0, 7, 4],
  ]);
  const labels = ints([
    [5, 2, 9, 10, 0],
    [3, 0, 7, 4, 1],
  ]);
  const update = compile(
    (p: GptParams, s: OptimiserState<GptParams>) => {
      const { value, gradient } = valueAndGradient((q: GptParams) =>
        crossEntropy(model.apply(q, tokens), labels),
      )(p);
      return { loss: value, ...optimiser.update(clipGlobalNorm(gradient, 1).gradients, s, p) };
    },
    { donate: [0, 1] },
  );
  const params = model.init(key);
  const bound = update.bind(params, optimiser.init(params));
  for (let i = 0; i < 60; i++) bound.run();
  expect(bound.result.loss.item()).toBeLessThan(0.3);
});

it("refuses invalid tokens", () => {
  const model = gpt({ layers: 1, width: 4, heads: 1, context: 3, vocabulary: 5 });
  const params = model.init(key);
  expect(() => model.apply(params, tensor([[1, 2]]))).toThrow("i32[batch, time], but got f32[1, 2]");
  expect(() => model.apply(params, ints([[1, 2, 3, 4]]))).toThrow("exceed the context of 3");
});

it("counts 0.84 million parameters in the benchmark's model", () => {
  const width = 128;
  const block = 12 * width * width + 13 * width;
  const model = gpt({ layers: 4, width, heads: 4, context: 128, vocabulary: 256 });
  expect(parameterCount(model.init(key))).toBe(4 * block + 2 * width + (128 + 256) * width);
});
