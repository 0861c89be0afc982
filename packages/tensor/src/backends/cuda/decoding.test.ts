import { describe, expect, it } from "vitest";
import type { Tensor } from "../../index.ts";
import * as o from "../../index.ts";
import { provideBackend } from "../choose.ts";
import { cudaCompiler } from "./cuda.ts";
import { emulatedGpu, emulatedImages, emulatorMissing } from "./testing/emulator.ts";

const missing = emulatorMissing();
if (missing) console.warn(`CUDA tests are skipped: ${missing}`);

// A provided back end stays in this process, so this file has its own.
describe.skipIf(missing)("decoding on an emulated GPU", () => {
  if (!missing)
    provideBackend({ name: "cuda", threads: 1, compiler: cudaCompiler(emulatedGpu(), emulatedImages) });
  const precisions = ["f32", "bf16"] as const;

  describe.each(precisions)("positions of extremes of long rows, %s", (matmulPrecision) => {
    const n = 6144;
    const row = (fill: number, ...at: readonly [number, number][]) => {
      const out = new Float32Array(n).fill(fill);
      for (const [i, x] of at) out[i] = x;
      return out;
    };
    const [nan, inf] = [Number.NaN, Number.POSITIVE_INFINITY];
    const noise = Float32Array.from({ length: n }, (_, i) => ((i * 2654435761) % 4093) - 2000);
    const rows: readonly [string, Float32Array][] = [
      ["noise with ties", noise],
      ["all equal", row(3)],
      ["a tie in two parts", row(0, [1500, 1], [4000, 1], [100, -1], [5999, -1])],
      ["the last element", row(0, [n - 1, 1], [n - 2, -1])],
      ["zeros of both signs", row(-0, [5, 0], [2000, 0])],
      ["negative zero after zero", row(0, [5, -0])],
      ["NaN later", row(0, [7, nan], [3000, 2], [3001, -2], [6000, nan])],
      ["NaN first", row(0, [0, nan], [3000, 2], [3001, -2])],
      ["NaN only", row(nan)],
      ["NaN after one number", row(nan, [0, -5])],
      ["NaN and the worst", row(nan, [0, -inf])],
      ["infinities", row(-inf, [9, inf], [10, nan], [4000, inf])],
      ["all the worst", row(-inf)],
      ["all the worst, of the smallest", row(inf)],
    ];
    const x = o.tensor(
      rows.flatMap(([, r]) => [...r]),
      { shape: [rows.length, n] },
    );
    const f = (t: Tensor) => [o.argmax(t, -1), o.argmin(t, -1)];
    it("equal those of the reference", () => {
      const [got, want] = [
        o.compile(f, { backend: "cuda", matmulPrecision })(x),
        o.compile(f, { backend: "reference" })(x),
      ];
      rows.forEach(([name], i) => {
        got.forEach((t, k) => {
          expect(`${name}: ${t.data[i]}`).toBe(`${name}: ${want[k].data[i]}`);
        });
      });
    });
    it("of integers, of a length that has no parts, and along another axis", () => {
      const ints = o.tensor(
        Int32Array.from({ length: 2 * 3001 }, (_, i) => ((i * 7919) % 2003) - 1000),
        { shape: [2, 3001] },
      );
      for (const t of [ints, o.transpose(ints), o.cast(ints, "f32")])
        for (const axis of [0, 1]) {
          const g = (y: Tensor) => [o.argmax(y, axis), o.argmin(y, axis)];
          const [got, want] = (["cuda", "reference"] as const).map((backend) =>
            o.compile(g, { backend, ...(backend === "cuda" ? { matmulPrecision } : {}) })(t),
          );
          got.forEach((y, k) => {
            expect([...y.data]).toEqual([...want[k].data]);
          });
        }
    });
  });

  describe("attention to a cache in bf16 mode", () => {
    const i32 = (values: readonly number[]) => o.tensor(Int32Array.from(values), { dtype: "i32" });
    const noise = (seed: number, shape: readonly number[]) => o.random.normal(o.random.key(seed), shape);
    type Attend = (q: Tensor, k: Tensor, v: Tensor, n: Tensor, rows: Tensor) => Tensor;
    const both = (f: Attend, ...args: Parameters<Attend>) => [
      o.compile(f, { backend: "cuda", matmulPrecision: "bf16" })(...args),
      o.compile(f, { backend: "reference" })(...args),
    ];
    const expectClose = (got: Tensor, want: Tensor) => {
      expect(got.shape).toEqual(want.shape);
      got.data.forEach((x, i) => {
        if (!(Math.abs(x - want.data[i]) < 1e-5)) expect.fail(`element ${i}: ${x}, not ${want.data[i]}`);
      });
    };
    /** NaN in keys and values from the length on. */
    const hidden = (t: Tensor, lengths: readonly number[]) => {
      const [, heads, slots, width] = t.shape;
      const data = t.data.slice();
      lengths.forEach((n, r) => {
        for (let h = 0; h < heads; h++)
          data.fill(
            Number.NaN,
            ((r * heads + h) * slots + Math.max(0, n)) * width,
            (r * heads + h + 1) * slots * width,
          );
      });
      return o.tensor(data, { shape: t.shape });
    };
    const forms: readonly [number, number, number, number][] = [
      // Queries, width of keys and of values, slots.
      [1, 64, 64, 40],
      [7, 64, 64, 300],
      [8, 128, 128, 33],
      [2, 36, 20, 70],
      [3, 8, 132, 9],
      [16, 64, 64, 24],
    ];

    describe.each([false, true])("causal: %s", (causal) => {
      it.each(forms)("%i queries, width %i, values of width %i, %i slots", (queries, width, wide, slots) => {
        const lengths = slots > 100 ? [slots, 257] : [0, 1, slots - 5, slots, slots + 3, -2];
        const rows = lengths.length;
        const heads = slots > 100 ? 1 : 2;
        const [q, k, v] = [
          noise(1, [rows, heads, queries, width]),
          hidden(noise(2, [rows, heads, slots, width]), lengths),
          hidden(noise(3, [rows, heads, slots, wide]), lengths),
        ];
        const attend: Attend = (a, b, c, n) =>
          o.attention(a, b, c, { lengths: o.reshape(n, [-1, 1]), causal });
        const [got, want] = both(attend, q, k, v, i32(lengths), i32([]));
        expectClose(got, want);
      });

      it("reads the entries that rows name, through views", () => {
        const named = [2, 0, 2, 9, -1];
        const lengths = [7, 11, 4, 2, 5];
        const [q, k, v] = [noise(4, [2, 5, 3, 8]), noise(5, [4, 11, 2, 8]), noise(6, [4, 2, 11, 12])];
        const attend: Attend = (a, b, c, n, rows) =>
          o.attention(o.permute(a, [1, 0, 2, 3]), o.permute(b, [0, 2, 1, 3]), c, {
            ...{ lengths: o.reshape(n, [-1, 1]), causal, rows },
          });
        const [got, want] = both(attend, q, k, v, i32(lengths), i32(named));
        expectClose(got, want);
      });

      it("divides the keys of few items among blocks, and is read by a product as bf16", () => {
        const lengths = [1100, 0];
        const [q, k, v] = [noise(7, [2, 1, 7, 16]), noise(8, [2, 1, 1100, 16]), noise(9, [2, 1, 1100, 16])];
        const attend: Attend = (a, b, c, n) =>
          o.attention(a, b, c, { lengths: o.reshape(n, [-1, 1]), causal });
        const [got, want] = both(attend, q, k, v, i32(lengths), i32([]));
        expectClose(got, want);
        const multiplied: Attend = (...args) =>
          o.matmul(attend(...args), o.mul(o.cast(o.iota([16, 4]), "f32"), 1 / 16));
        const [half, full] = both(multiplied, q, k, v, i32(lengths), i32([]));
        half.data.forEach((x, i) => {
          expect(x).toBeCloseTo(full.data[i], 1);
        });
      });
    });

    it("shares the keys of a group that is an axis of its own", () => {
      const [q, k, v] = [noise(1, [2, 2, 3, 4, 8]), noise(2, [2, 2, 1, 20, 8]), noise(3, [2, 2, 1, 20, 8])];
      const attend: Attend = (a, b, c, n) =>
        o.attention(a, ...([b, c].map((t) => o.broadcastTo(t, [2, 2, 3, 20, 8])) as [Tensor, Tensor]), {
          lengths: o.reshape(n, [-1, 1, 1]),
          causal: true,
        });
      const [got, want] = both(attend, q, k, v, i32([20, 6]), i32([]));
      expectClose(got, want);
    });

    it("gives NaN for a query that is NaN or whose scores overflow, and only there", () => {
      const q = o.tensor(
        [Number.NaN, 1, 3e38, 3e38, 1, 2, -1, 1].flatMap((x) => [x, x, x, x]),
        { shape: [1, 1, 8, 4] },
      );
      const [k, v] = [noise(2, [1, 1, 12, 4]).mul(9), noise(3, [1, 1, 12, 4])];
      const attend: Attend = (a, b, c, n) => o.attention(a, b, c, { lengths: o.reshape(n, [-1, 1]) });
      const [got, want] = both(attend, q, k, v, i32([12]), i32([]));
      expect([...got.data].map(Number.isNaN)).toEqual([...want.data].map(Number.isNaN));
    });
  });
});
