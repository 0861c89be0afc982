import { afterAll, describe, expect, it, vi } from "vitest";
import type { Tensor, Tree } from "../../index.ts";
import * as o from "../../index.ts";
import { provideBackend } from "../choose.ts";
import { cudaCompiler } from "./cuda.ts";
import { emulatedGpu, emulatedImages, emulatorMissing } from "./testing/emulator.ts";

const missing = emulatorMissing();
if (missing) console.warn(`CUDA tests are skipped: ${missing}`);

const normal = (shape: readonly number[], seed: number) => o.random.normal(o.random.key(seed), shape);

/** ‖a - b‖ / ‖b‖ */
function distance(a: Tensor, b: Tensor): number {
  let [error, size] = [0, 0];
  a.data.forEach((x, i) => {
    error += (x - b.data[i]) ** 2;
    size += b.data[i] ** 2;
  });
  return Math.sqrt(error / size);
}

/** The largest distance of results in bf16 on the GPU from those in f32 on WebAssembly. */
function deviation<A extends Tensor[]>(f: (...args: A) => Tree, ...args: A): number {
  const [half, exact] = [
    o.compile(f, { backend: "cuda", matmulPrecision: "bf16" })(...args),
    o.compile(f, { backend: "wasm" })(...args),
  ].map((r) => o.leaves(r));
  return Math.max(...half.map((t, i) => distance(t, exact[i])));
}

// A provided back end stays in this process, so this file has its own.
describe.skipIf(missing)("bf16 on an emulated GPU", () => {
  if (!missing)
    provideBackend({ name: "cuda", threads: 1, compiler: cudaCompiler(emulatedGpu(), emulatedImages) });
  afterAll(() => vi.unstubAllEnvs());

  /** Each operand is rounded to 8 bits: a relative error of at most 2⁻⁹, and half of that on average. */
  const rounding = 2 ** -8;

  it.each([
    [5, 70, 9],
    [64, 64, 64],
    [65, 100, 130],
    [130, 33, 40],
    [1, 200, 33],
  ])("multiplies %i × %i · %i, with either operand turned", (m, k, n) => {
    const products = [
      deviation((a: Tensor, b: Tensor) => o.matmul(a, b), normal([m, k], 1), normal([k, n], 2)),
      deviation((a: Tensor, b: Tensor) => o.matmul(o.transpose(a), b), normal([k, m], 1), normal([k, n], 2)),
      deviation((a: Tensor, b: Tensor) => o.matmul(a, o.transpose(b)), normal([m, k], 1), normal([n, k], 2)),
    ];
    for (const d of products) expect(d).toBeLessThan(rounding);
  });

  it("gives exact products of small whole numbers, also with a bias and in batches", () => {
    const whole = (shape: number[], seed: number) => o.random.randint(o.random.key(seed), shape, -8, 9);
    const f = (a: Tensor, b: Tensor, c: Tensor) => {
      const [x, y, z] = [a, b, c].map((t) => o.cast(t, "f32"));
      // The first product is read by the second alone, and stored as bf16; halves are representable.
      return o.add(
        o.matmul(o.matmul(o.mul(x, 0.5), o.mul(y, 2)), o.mul(z, 1)),
        o.slice(z, [
          [0, 1],
          [0, 1],
        ]),
      );
    };
    const args = [whole([2, 20, 8], 1), whole([2, 8, 24], 2), whole([24, 40], 3)] as const;
    const small = args.map((t) => o.compile((x: Tensor) => o.mod(x, 2), { backend: "wasm" })(t));
    expect(deviation(f, small[0], small[1], small[2])).toBe(0);
  });

  it("multiplies in a loop as often as a result says", () => {
    const f = (xs: Tensor, w: Tensor, count: Tensor) =>
      o.scan(
        (total: Tensor, x: Tensor) => {
          const product = o.matmul(x, w);
          return [o.add(total, o.sum(product)), product] as const;
        },
        o.tensor(0),
        xs,
        { count: o.sum(count) },
      );
    const [xs, w] = [normal([4, 8, 24], 1), normal([24, 16], 2)];
    for (const count of [0, 1, 3, 4])
      expect(deviation(f, xs, w, o.tensor([count, 0], { dtype: "i32" })) || 0).toBeLessThan(2 * rounding);
  });

  it("rounds to the nearest, ties to even, and keeps NaN and infinities", () => {
    const one = 1 + 2 ** -8;
    const values = [one, 1 + 3 * 2 ** -8, -one, 1 + 2 ** -7, 2 ** -130, Number.NaN, Infinity, -Infinity];
    const f = o.compile((x: Tensor, e: Tensor) => o.matmul(x, e), {
      backend: "cuda",
      matmulPrecision: "bf16",
    });
    // Each value is alone in its row.
    const square = (at: (i: number) => number) => {
      const list = Array.from({ length: 64 * 64 }, (_, i) => (i % 64 === 0 ? (at(i / 64) ?? 0) : 0));
      return o.tensor(list, { shape: [64, 64] });
    };
    const product = f(
      square((i) => values[i]),
      square((i) => (i === 0 ? 1 : 0)),
    );
    const got = values.map((_, i) => product.data[i * 64]);
    expect(got).toEqual([1, 1 + 2 ** -6, -1, 1 + 2 ** -7, 2 ** -130, Number.NaN, Infinity, -Infinity]);
  });

  it("makes a new copy of an input that has changed", () => {
    const w = normal([40, 50], 1);
    const f = o.compile((x: Tensor, v: Tensor) => o.matmul(x, v), {
      backend: "cuda",
      matmulPrecision: "bf16",
    });
    const x = normal([64, 40], 2);
    const bound = f.bind(x, w);
    bound.run();
    const before = bound.result.data.slice();
    bound.run();
    expect(bound.result.data).toEqual(before);
    w.set(w.data.map((v) => 2 * v));
    bound.run();
    expect(bound.result.data).toEqual(before.map((v) => 2 * v));
  });

  it("sums long rows, columns and everything", () => {
    const x = normal([1024, 130], 1);
    const results = (t: Tensor) => [o.sum(o.mul(t, t)), o.sum(o.mul(t, t), 0), o.sum(o.exp(t), 1)];
    expect(deviation(results, x)).toBeLessThan(1e-5);
    expect(deviation((t: Tensor) => [o.softmax(t), o.max(t, 1)], normal([3, 5000], 2))).toBeLessThan(1e-5);
  });

  it.each([
    { lead: [2], queries: 64, keys: 64, width: 64, causal: true },
    { lead: [2, 3], queries: 100, keys: 100, width: 64, causal: true },
    { lead: [1], queries: 50, keys: 90, width: 32, causal: false },
    { lead: [2], queries: 40, keys: 70, width: 128, causal: true },
    { lead: [3], queries: 33, keys: 33, width: 16, causal: true },
    { lead: [2], queries: 70, keys: 70, width: 96, causal: true },
  ])("attends without a matrix of weights: $queries × $keys × $width", (c) => {
    const { lead, queries, keys, width, causal } = c;
    const [q, g] = [1, 2].map((i) => normal([...lead, queries, width], i));
    const [k, v] = [3, 4].map((i) => normal([...lead, keys, width], i));
    const f = (a: Tensor, b: Tensor, d: Tensor, w: Tensor) => {
      const loss = o.valueAndGradient((t: { a: Tensor; b: Tensor; d: Tensor }) =>
        o.sum(o.mul(o.attention(t.a, t.b, t.d, { causal }), w)),
      );
      return { output: o.attention(a, b, d, { causal }), ...loss({ a, b, d }).gradient };
    };
    expect(o.compile(f, { backend: "cuda", matmulPrecision: "bf16" }).explain(q, k, v, g)).toContain(
      "attention, keys",
    );
    expect(deviation(f, q, k, v, g)).toBeLessThan(1.5 * rounding);
  });

  it("attends to shared keys in place, and to operands whose axes are turned", () => {
    const [q, k, v] = [
      [2, 2, 3, 48, 32],
      [2, 2, 1, 48, 32],
      [2, 2, 1, 48, 32],
    ].map(normal);
    const grouped = (a: Tensor, b: Tensor, c: Tensor) => {
      const f = (t: { a: Tensor; b: Tensor; c: Tensor }) =>
        o.sum(o.tanh(o.attention(t.a, t.b, t.c, { causal: true })));
      return o.valueAndGradient(f)({ a, b, c }).gradient;
    };
    expect(deviation(grouped, q, k, v)).toBeLessThan(1.5 * rounding);
    const turned = (a: Tensor, b: Tensor, c: Tensor) =>
      o.attention(o.transpose(a), o.transpose(b), o.transpose(c), { causal: true });
    const [x, y, z] = [5, 6, 7].map((i) => normal([2, 32, 48], i));
    expect(deviation(turned, x, y, z)).toBeLessThan(rounding);
  });

  it("passes activations on in bf16, but keeps what is summed or is narrow", () => {
    const [x, gate, up, down] = [
      [512, 128],
      [128, 128],
      [128, 128],
      [128, 128],
    ].map((shape, i) => o.mul(normal(shape, i), i === 0 ? 1 : 0.1));
    const layer = (a: Tensor, g: Tensor, u: Tensor, d: Tensor) =>
      o.matmul(o.mul(o.mul(o.matmul(a, g), o.sigmoid(o.matmul(a, g))), o.matmul(a, u)), d);
    const learned = (a: Tensor, g: Tensor, u: Tensor, d: Tensor) =>
      o.valueAndGradient((t: { g: Tensor; u: Tensor; d: Tensor }) =>
        o.mean(o.logSoftmax(layer(a, t.g, t.u, t.d), -1)),
      )({ g, u, d });
    // 65,536 products with a gate: their gradients have a few roundings more than operands alone.
    expect(deviation(learned, x, gate, up, down)).toBeLessThan(4 * rounding);
    // Log-probabilities and what is computed from them stay in f32: a ratio would differ by 1e-2 otherwise.
    const ratios = (a: Tensor, b: Tensor) => {
      const own = o.max(o.logSoftmax(o.matmul(a, b), -1), -1);
      const grid = o.reshape(own, [256, 256]);
      return o.max(o.abs(o.sub(o.exp(o.sub(o.mul(grid, 3), o.mul(grid, 2))), o.exp(grid))), 0);
    };
    const f = o.compile(ratios, { backend: "cuda", matmulPrecision: "bf16" });
    expect(Math.max(...f(normal([65536, 8], 9), normal([8, 128], 10)).data)).toBeLessThan(1e-4);
  });

  it("gives the same bits in every run, in any order of threads", () => {
    const f = o.compile(
      (a: Tensor, b: Tensor) => o.sum(o.attention(a, o.matmul(a, b), a, { causal: true }), 0),
      { backend: "cuda", matmulPrecision: "bf16" },
    );
    const args = [normal([4, 40, 32], 1), normal([32, 32], 2)] as const;
    const first = f(...args).data.slice();
    expect(f(...args).data).toEqual(first);
  });
});
