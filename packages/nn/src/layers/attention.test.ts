import {
  broadcastTo,
  compile,
  concat,
  lengthMask,
  mul,
  permute,
  random,
  reshape,
  scalar,
  slice,
  split,
  square,
  sum,
  type Tensor,
  tensor,
} from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { type AttentionLayerOptions, attention, rotary, transformerBlock } from "../index.ts";
import { expectClose, expectGradient, expectTorch } from "../testing.ts";

const key = random.key(11);
const x = random.normal(random.key(2), [2, 5, 8]);
const at = (t: Tensor, from: number, to: number) => slice(t, [null, [from, to]]);
const identity = (n: number) =>
  tensor(Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (i === j ? 1 : 0))));

describe("attention", () => {
  it("agrees with PyTorch", () => {
    // Heads side by side; the projections are the identity, so that queries, keys and values pass through.
    const layer = attention({ width: 12, heads: 3 });
    expectTorch("causal_attention", (q, k, v) => {
      const y = layer.mix({ qkv: { weight: identity(12) }, output: { weight: identity(12) } }, q, k, v, {
        causal: true,
      });
      return permute(reshape(y, [2, 6, 3, 4]), [0, 2, 1, 3]);
    });
  });

  const forms: [string, AttentionLayerOptions][] = [
    ["plain", { width: 8, heads: 2 }],
    ["grouped and rotary", { width: 8, heads: 4, keyHeads: 2, rotary: {}, bias: false }],
    [
      "wide, normalised heads",
      { width: 8, heads: 2, headWidth: 6, rotary: { base: 500 }, normaliseHeads: true },
    ],
    ["a window", { width: 8, heads: 4, keyHeads: 2, rotary: {}, window: 2 }],
    ["soft-capped and scaled", { width: 8, heads: 2, scoreCap: 0.5, scoreScale: 2, window: 3 }],
    [
      "normalised across heads, partial rotary",
      { width: 8, heads: 2, normaliseHeads: "together", rotary: { frequencies: [0.5], scale: 1.2 } },
    ],
  ];
  it.each(forms)("%s: results with and without a cache are equal", (_, options) => {
    const layer = attention(options);
    const params = layer.init(key);
    const whole = layer.apply(params, x);
    const step = compile(
      (p: typeof params, t: Tensor, c: { keys: Tensor; values: Tensor }, position: Tensor) =>
        layer.step(p, t, c, position),
      { donate: [2] },
    );
    let cache = layer.start(2, 7);
    const first = layer.step(params, at(x, 0, 2), cache, scalar(0, "i32"));
    expectClose(first.output, at(whole, 0, 2));
    cache = first.state;
    for (let t = 2; t < 5; t++) {
      const next = step(params, at(x, t, t + 1), cache, scalar(t, "i32"));
      expectClose(next.output, at(whole, t, t + 1));
      cache = next.state;
    }
  });
  it.each([...forms, ["wide and grouped", { width: 48, heads: 4, keyHeads: 2, rotary: {} }] as const])(
    "%s: blocks of several rows are written to their cache rows in place",
    (_, options) => {
      const layer = attention(options);
      const params = layer.init(key);
      const i32 = (values: number[]) => tensor(values, { dtype: "i32" });
      const tokens = random.normal(random.key(4), [3, 4, options.width]);
      // Row by row: row 1 reads four tokens, row 2 two.
      const part = (row: number, from: number, to: number) =>
        slice(tokens, [
          [row, row + 1],
          [from, to],
        ]);
      const empty = () => layer.start(1, 6);
      const one = layer.step(params, part(1, 0, 4), empty(), i32([0]));
      const two = layer.step(params, part(2, 0, 2), empty(), i32([0]));
      // In place: the blocks of row 1 around that of row 2.
      const blocks = concat([part(1, 0, 2), part(2, 0, 2), part(1, 2, 4)]);
      const all = layer.step(params, blocks, layer.start(3, 6), i32([0, 0, 2]), { rows: i32([1, 2, 1]) });
      const row = (t: Tensor, r: number) => slice(t, [[r, r + 1]]);
      expectClose(concat([row(all.output, 0), row(all.output, 2)], 1), one.output);
      expectClose(row(all.output, 1), two.output);
      for (const name of ["keys", "values"] as const) {
        expectClose(row(all.state[name], 1), one.state[name]);
        expectClose(row(all.state[name], 2), two.state[name]);
        expect([...row(all.state[name], 0).data].every((x) => x === 0)).toBe(true);
      }
    },
  );
  it.each(forms)("%s: rows at different positions", (_, options) => {
    const layer = attention(options);
    const params = layer.init(key);
    // Row 0 has two earlier tokens and row 1 three; both were filled together, padded on the right.
    const { state } = layer.step(params, at(x, 0, 3), layer.start(2, 6), tensor([0, 0], { dtype: "i32" }));
    const token = concat([
      slice(x, [
        [0, 1],
        [2, 3],
      ]),
      slice(x, [
        [1, 2],
        [3, 4],
      ]),
    ]);
    const { output } = layer.step(params, token, state, tensor([2, 3], { dtype: "i32" }));
    const whole = layer.apply(params, x);
    expectClose(
      output,
      concat([
        slice(whole, [
          [0, 1],
          [2, 3],
        ]),
        slice(whole, [
          [1, 2],
          [3, 4],
        ]),
      ]),
    );
  });
  it("grouped queries equal repeated key heads", () => {
    const grouped = attention({ width: 8, heads: 4, keyHeads: 2 });
    const full = attention({ width: 8, heads: 4 });
    const params = grouped.init(key);
    const [q, k, v] = split(params.qkv.weight, [8, 4, 4], 1);
    const repeat = (w: Tensor) => reshape(broadcastTo(reshape(w, [8, 2, 1, 2]), [8, 2, 2, 2]), [8, 8]);
    const wide = { qkv: { weight: concat([q, repeat(k), repeat(v)], 1) }, output: params.output };
    expectClose(
      grouped.apply({ qkv: { weight: params.qkv.weight }, output: params.output }, x),
      full.apply(wide, x),
    );
  });
  it("ignores later and masked positions", () => {
    const layer = attention({ width: 8, heads: 2 });
    const params = layer.init(key);
    const changed = concat([at(x, 0, 4), mul(at(x, 4, 5), -3)], 1);
    expectClose(at(layer.apply(params, changed), 0, 4), at(layer.apply(params, x), 0, 4), 1e-6);
    const both = attention({ width: 8, heads: 2, causal: false });
    const mask = reshape(lengthMask(tensor([4, 4], { dtype: "i32" }), 5), [2, 1, 1, 5]);
    expectClose(at(both.apply(params, changed, { mask }), 0, 4), both.apply(params, at(x, 0, 4)), 1e-5);
  });
  it("has the gradient of finite differences", () => {
    const layer = attention({ width: 8, heads: 4, keyHeads: 2, rotary: {}, normaliseHeads: true });
    expectGradient((p) => sum(square(layer.apply(p, x))), layer.init(key), { step: 1e-3 });
  });
  it("refuses widths and heads that do not divide", () => {
    expect(() => attention({ width: 10, heads: 4 })).toThrow("is not divisible by 4 heads");
    expect(() => attention({ width: 12, heads: 4, keyHeads: 3 })).toThrow("3 key heads");
    const layer = attention({ width: 8, heads: 2 });
    expect(() => layer.step(layer.init(key), x, layer.start(2, 3), scalar(0, "i32"))).toThrow(
      "larger maximum",
    );
  });
});

describe("rotary", () => {
  const [a, b] = [random.normal(random.key(8), [1, 1, 1, 6]), random.normal(random.key(9), [1, 1, 1, 6])];
  const turned = (t: Tensor, p: number) => rotary(t, tensor([p], { dtype: "i32" }));
  const product = (p: number, q: number) => sum(mul(turned(a, p), turned(b, q))).item();
  it("keeps lengths and depends only on relative positions", () => {
    expect(sum(square(turned(a, 123))).item()).toBeCloseTo(sum(square(a)).item(), 4);
    expect(product(7, 3)).toBeCloseTo(product(104, 100), 4);
    expect(product(7, 3)).not.toBeCloseTo(product(7, 4), 3);
    expectClose(turned(a, 0), a);
  });
  it("rotates the first pair by one radian per position", () => {
    const y = turned(tensor([[[[1, 0, 0, 0]]]]), 1).data;
    expectClose(y, [Math.cos(1), 0, Math.sin(1), 0], 1e-6);
  });
  it("takes positions per row", () => {
    const both = rotary(concat([a, b]), tensor([[4], [9]], { dtype: "i32" }));
    expectClose(both, concat([turned(a, 4), turned(b, 9)]));
  });
  it("needs an even width", () => expect(() => turned(tensor([[[[1, 2, 3]]]]), 1)).toThrow("even width"));
});

describe.each(["gpt2", "llama"] as const)("transformer block, %s", (style) => {
  const block = transformerBlock({ width: 8, heads: 2, style, dropout: 0.3 });
  const params = block.init(key);
  it("results with and without a cache are equal", () => {
    const whole = block.apply(params, x);
    const one = block.step(params, at(x, 0, 4), block.start(2, 5), scalar(0, "i32"));
    const two = block.step(params, at(x, 4, 5), one.state, scalar(4, "i32"));
    expectClose(concat([one.output, two.output], 1), whole);
  });
  it("has the gradient of finite differences", () =>
    expectGradient((p) => sum(square(block.apply(p, x))), params, { step: 3e-3, tolerance: 4e-2 }));
  it("applies dropout only with a key", () => {
    expect(block.apply(params, x, { key }).toArray()).not.toEqual(block.apply(params, x).toArray());
  });
});
