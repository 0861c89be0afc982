import { describe, expect, test } from "vitest";
import type { GemmStep } from "../../kernel/program.ts";
import { fused } from "../../math/fma.ts";
import { missing, random, runProgram } from "./testing.ts";

type Layout = "NN" | "NT" | "TN" | "strided";
interface Shape {
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly layout: Layout;
  readonly batch?: readonly number[];
  readonly bias?: boolean;
  /** Unused columns at the end of c's rows. */
  readonly gap?: number;
}

function product({ m, n, k, layout, batch = [], bias, gap = 0 }: Shape): {
  step: GemmStep;
  sizes: [number, number, number];
} {
  const spread = layout === "strided" ? 2 : 1;
  const aStrides: [number, number] = layout === "TN" ? [1, m] : [k * spread, spread];
  const bStrides: [number, number] = layout === "NT" ? [1, k] : [n * spread, spread];
  const cRow = n + gap;
  // The first batch dimension shares a, the second shares b.
  let [a, b, c] = [m * k * spread, k * n * spread, m * cRow];
  const dims = batch.map((extent, i) => {
    const dim = { extent, a: i === 0 ? 0 : a, b: i === 1 ? 0 : b, c };
    if (i !== 0) a *= extent;
    if (i !== 1) b *= extent;
    c *= extent;
    return dim;
  });
  const place = (buffer: number) => ({ buffer, offset: 0 });
  const step: GemmStep = {
    kind: "gemm",
    m,
    n,
    k,
    a: place(0),
    b: place(1),
    c: place(2),
    aStrides,
    bStrides,
    cRow,
    batch: dims,
    bias: bias ? place(3) : undefined,
    precision: "f32",
    barrier: false,
  };
  return { step, sizes: [a, b, c] };
}

function offsets(step: GemmStep): [number, number, number][] {
  let list: [number, number, number][] = [[0, 0, 0]];
  for (const d of step.batch) {
    list = list.flatMap(([a, b, c]) =>
      Array.from({ length: d.extent }, (_, i): [number, number, number] => [
        a + i * d.a,
        b + i * d.b,
        c + i * d.c,
      ]),
    );
  }
  return list;
}

function naive(step: GemmStep, a: Float32Array, b: Float32Array, c: Float32Array, bias: Float32Array): void {
  for (const [ao, bo, co] of offsets(step)) {
    for (let i = 0; i < step.m; i++) {
      for (let j = 0; j < step.n; j++) {
        let sum = step.bias ? bias[j] : 0;
        for (let p = 0; p < step.k; p++) {
          sum +=
            a[ao + i * step.aStrides[0] + p * step.aStrides[1]] *
            b[bo + p * step.bStrides[0] + j * step.bStrides[1]];
        }
        c[co + i * step.cRow + j] = sum;
      }
    }
  }
}

function check(shapes: readonly Shape[], seed: number) {
  const r = random(seed);
  for (const shape of shapes) {
    const { step, sizes } = product(shape);
    const real = (length: number) => Float32Array.from({ length }, () => r.next() * 2 - 1);
    const [a, b, bias] = [real(sizes[0]), real(sizes[1]), real(shape.n)];
    const c = new Float32Array(sizes[2]).fill(77);
    const expected = c.slice();
    naive(step, a, b, expected, bias);
    const run = (threads: number) =>
      runProgram({ kernels: [], steps: [step], scratchBytes: 0, threads }, [
        a,
        b,
        c,
        bias,
      ])[2] as Float32Array;
    const one = run(1);
    let worst = 0;
    for (let i = 0; i < one.length; i++) worst = Math.max(worst, Math.abs(one[i] - expected[i]));
    expect(worst, JSON.stringify(shape)).toBeLessThan(1e-6 * (shape.k + 8));
    for (const threads of [2, 3, 5]) {
      const many = run(threads);
      expect(
        Buffer.compare(Buffer.from(one.buffer), Buffer.from(many.buffer)),
        `${JSON.stringify(shape)} on ${threads} threads`,
      ).toBe(0);
    }
  }
}

const layouts: Layout[] = ["NN", "NT", "TN", "strided"];

describe.skipIf(missing)("matrix product", () => {
  // gcc splits chains of multiply-adds for some processors (Sapphire Rapids, Zen): sums of few rows were then rounded twice.
  test.each([1, 2, 4, 8, 16, 40])("every sum is fused and rises with k: %i rows", (m) => {
    const shape: Shape = { m, n: 33, k: 130, layout: "NN", bias: true };
    const { step, sizes } = product(shape);
    const r = random(9);
    const real = (length: number) => Float32Array.from({ length }, () => r.next() * 2 - 1);
    const [a, b, bias] = [real(sizes[0]), real(sizes[1]), real(shape.n)];
    const c = new Float32Array(sizes[2]);
    const program = { kernels: [], steps: [step], scratchBytes: 0, threads: 1 };
    const got = runProgram(program, [a, b, c, bias])[2] as Float32Array;
    const want = Float32Array.from(got, (_, at) => {
      const [i, j] = [Math.floor(at / shape.n), at % shape.n];
      let sum = bias[j];
      for (let p = 0; p < shape.k; p++) sum = fused(a[i * shape.k + p], b[p * shape.n + j], sum);
      return sum;
    });
    expect([...got]).toEqual([...want]);
  });

  test.each(layouts)("%s: small and odd shapes, with and without bias and gaps", (layout) => {
    const sizes = [1, 2, 3, 4, 5, 8, 11, 16, 17, 33, 50];
    const r = random(5);
    const shapes = Array.from(
      { length: 40 },
      (_, i): Shape => ({
        m: r.pick(sizes),
        n: r.pick(sizes),
        k: r.pick(sizes),
        layout,
        bias: i % 3 === 0,
        gap: i % 4 === 0 ? 3 : 0,
      }),
    );
    check(
      [
        ...shapes,
        { m: 70, n: 3, k: 20, layout, bias: true },
        { m: 100, n: 1, k: 37, layout },
        { m: 1, n: 130, k: 64, layout },
      ],
      1,
    );
  });

  test.each(layouts)("%s: shapes that are packed and blocked", (layout) => {
    check(
      [
        { m: 130, n: 150, k: 70, layout, bias: true },
        { m: 65, n: 260, k: 530, layout },
        { m: 300, n: 129, k: 1030, layout, bias: true },
        { m: 700, n: 40, k: 300, layout },
        { m: 12, n: 140, k: 1100, layout, gap: 1 },
      ],
      2,
    );
  });

  test.each(layouts)("%s: every sum is fused where panels are packed during the product", (layout) => {
    const shapes: Shape[] = [
      // The next panel is packed while one is used; the last panel is narrower, and then partial.
      { m: 72, n: 160, k: 20, layout },
      { m: 70, n: 170, k: 400, layout, bias: true, gap: 1 },
      // Several blocks of rows share the packed panels.
      { m: 480, n: 112, k: 384, layout },
      // Rows that are a multiple of 4096 bytes apart: packed, and in smaller blocks.
      { m: 65, n: 770, k: 1024, layout },
      { m: 400, n: 64, k: 4096, layout, bias: true },
      // Blocks of a that are packed, with rows, columns and steps of k that fill no tile.
      { m: 117, n: 530, k: 600, layout, bias: true, gap: 1 },
      { m: 128, n: 260, k: 270, layout },
      { m: 1100, n: 288, k: 590, layout },
      { m: 900, n: 130, k: 130, layout },
      // The last block of k is a single step.
      { m: 113, n: 128, k: 8833, layout },
    ];
    const r = random(4);
    const values = Float32Array.from({ length: 10007 }, () => r.next() * 2 - 1);
    const real = (length: number) => Float32Array.from({ length }, (_, i) => values[i % values.length]);
    for (const shape of shapes) {
      const { step, sizes } = product(shape);
      const [a, b, bias] = [real(sizes[0]), real(sizes[1]), real(shape.n)];
      const buffers = [a, b, new Float32Array(sizes[2]), bias];
      const run = (threads: number) =>
        runProgram({ kernels: [], steps: [step], scratchBytes: 0, threads }, buffers)[2] as Float32Array;
      const got = run(1);
      const [[aRow, aColumn], [bRow, bColumn]] = [step.aStrides, step.bStrides];
      for (const i of [0, 63, shape.m - 14, shape.m - 1]) {
        const want = Float32Array.from({ length: shape.n }, (_, j) => {
          let sum = shape.bias ? bias[j] : 0;
          for (let p = 0; p < shape.k; p++)
            sum = fused(a[i * aRow + p * aColumn], b[p * bRow + j * bColumn], sum);
          return sum;
        });
        const row = got.slice(i * step.cRow, i * step.cRow + shape.n);
        expect(row, `row ${i} of ${JSON.stringify(shape)}`).toEqual(want);
      }
      expect(Buffer.compare(Buffer.from(run(3).buffer), Buffer.from(got.buffer))).toBe(0);
    }
  });

  test("all rows of a may be one row", () => {
    const { step, sizes } = product({ m: 450, n: 64, k: 384, layout: "NN" });
    const r = random(6);
    const real = (length: number) => Float32Array.from({ length }, () => r.next() * 2 - 1);
    const shared: GemmStep = { ...step, aStrides: [0, 1] };
    const [, , c] = runProgram({ kernels: [], steps: [shared], scratchBytes: 0, threads: 1 }, [
      real(step.k),
      real(sizes[1]),
      new Float32Array(sizes[2]),
    ]);
    for (const i of [1, 200, 449]) expect(c.slice(i * 64, i * 64 + 64)).toEqual(c.slice(0, 64));
  });

  // Blocks of rows were once of equal sizes but for the last one, which then had fewer rows than its tiles.
  test.each([74_630, 112_001])("no block of rows is too small for its tiles: %i rows", (m) => {
    const { step, sizes } = product({ m, n: 256, k: 256, layout: "NN" });
    const r = random(7);
    const real = (length: number) => Float32Array.from({ length }, () => r.next() * 2 - 1);
    const shared: GemmStep = { ...step, aStrides: [0, 1] };
    const [, , c] = runProgram({ kernels: [], steps: [shared], scratchBytes: 0, threads: 1 }, [
      real(step.k),
      real(sizes[1]),
      new Float32Array(sizes[2]),
    ]);
    const row = (i: number) => Buffer.from(c.buffer, c.byteOffset + i * 1024, 1024);
    for (let i = 1; i < m; i++)
      if (row(i).compare(row(0)) !== 0) expect.fail(`row ${i} of ${m} differs from row 0`);
  });

  test.each(layouts)("%s: batches, some of which share an operand", (layout) => {
    check(
      [
        { m: 9, n: 14, k: 6, layout, batch: [3] },
        { m: 20, n: 32, k: 32, layout, batch: [2, 3], bias: true },
        { m: 40, n: 5, k: 12, layout, batch: [2, 2, 2] },
      ],
      3,
    );
  });

  test("an empty sum gives the bias", () => {
    const { step } = product({ m: 3, n: 5, k: 0, layout: "NN", bias: true });
    const bias = Float32Array.from([1, 2, 3, 4, 5]);
    const [, , c] = runProgram({ kernels: [], steps: [step], scratchBytes: 0, threads: 1 }, [
      new Float32Array(1),
      new Float32Array(1),
      new Float32Array(15),
      bias,
    ]);
    expect(Array.from(c)).toEqual([...bias, ...bias, ...bias]);
  });

  test("bf16 precision is close, whether it runs in bf16 or in f32", () => {
    const r = random(9);
    for (const [m, n, k] of [
      [64, 64, 64],
      [33, 50, 70],
      [100, 200, 300],
    ]) {
      for (const layout of layouts) {
        const { step, sizes } = product({ m, n, k, layout, bias: true });
        const real = (length: number) => Float32Array.from({ length }, () => r.next() * 2 - 1);
        const [a, b, bias] = [real(sizes[0]), real(sizes[1]), real(n)];
        const expected = new Float32Array(sizes[2]);
        naive(step, a, b, expected, bias);
        const bf16 = { ...step, precision: "bf16" as const };
        const runs = [1, 2].map(
          (threads) =>
            runProgram({ kernels: [], steps: [bf16], scratchBytes: 0, threads }, [
              a,
              b,
              new Float32Array(sizes[2]),
              bias,
            ])[2],
        );
        expect(Math.max(...runs[0].map((x, i) => Math.abs(x - expected[i])))).toBeLessThan(
          0.02 * Math.sqrt(k),
        );
        expect(Array.from(runs[1])).toEqual(Array.from(runs[0]));
      }
    }
  });
});
