import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { Tensor } from "../../index.ts";
import * as o from "../../index.ts";
import { provideBackend } from "../choose.ts";
import { cudaCompiler } from "./cuda.ts";
import { emulatedGpu, emulatedImages } from "./testing/emulator.ts";

const missing = (() => {
  try {
    execFileSync("g++", ["--version"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "the emulated GPU needs g++";
  }
})();
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
});
