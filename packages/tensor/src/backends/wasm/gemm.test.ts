import { describe, expect, it } from "vitest";
import { heap } from "../../heap.ts";
import type { GemmStep, Place, Program } from "../../kernel/program.ts";
import { contextBytes, contextOf } from "../../testing/context.ts";
import { isArm } from "./engine.ts";
import { emitProgram } from "./program.ts";
import { wasmCompiler } from "./wasm.ts";
import { workspace } from "./workspace.ts";

let seed = 1;
const random = () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32 - 0.5;
};

type Layout = "NN" | "NT" | "TN" | "TT" | "strided" | "backward";
interface Case {
  m: number;
  n: number;
  k: number;
  layout: Layout;
  batch?: number[];
  bias?: boolean;
  sharedB?: boolean;
}

function makeStep({ m, n, k, layout, batch = [], bias = false, sharedB = false }: Case) {
  const cRow = layout === "strided" ? n + 3 : n;
  const aStrides: [number, number] =
    layout[0] === "T"
      ? [1, m]
      : layout === "strided"
        ? [2 * k + 1, 2]
        : layout === "backward"
          ? [-k, 1]
          : [k, 1];
  const bStrides: [number, number] =
    layout[1] === "T" ? [1, k] : layout === "strided" ? [3 * n, 3] : layout === "backward" ? [-n, 1] : [n, 1];
  const span = (rows: number, columns: number, [r, c]: [number, number]) =>
    (rows - 1) * Math.abs(r) + (columns - 1) * Math.abs(c) + 1;
  const [aSize, bSize, cSize] = [
    Math.max(1, span(m, k, aStrides)),
    Math.max(1, span(k, n, bStrides)),
    m * cRow,
  ];
  let [sa, sb, sc] = [aSize, bSize, cSize];
  const dims: { extent: number; a: number; b: number; c: number }[] = [];
  for (const extent of [...batch].reverse()) {
    dims.unshift({ extent, a: sa, b: sharedB ? 0 : sb, c: sc });
    [sa, sb, sc] = [sa * extent, sharedB ? sb : sb * extent, sc * extent];
  }
  const start = (rows: number, [r]: [number, number]) => (r < 0 ? -r * (rows - 1) : 0);
  const [aStart, bStart] = [start(m, aStrides), start(k, bStrides)];
  const place = (buffer: number, offset = 0): Place => ({ buffer, offset });
  const step: GemmStep = {
    kind: "gemm",
    m,
    n,
    k,
    a: place(1, 4 * aStart),
    b: place(2, 4 * bStart),
    c: place(3),
    aStrides,
    bStrides,
    cRow,
    batch: dims,
    bias: bias ? place(4) : undefined,
    precision: "f32",
    barrier: true,
  };
  return { step, sizes: [sa, sb, sc, n], aStart, bStart };
}

function expected(
  step: GemmStep,
  a: Float32Array,
  b: Float32Array,
  bias: Float32Array,
  c: Float64Array,
  aStart: number,
  bStart: number,
): void {
  const visit = (d: number, ao: number, bo: number, co: number): void => {
    if (d < step.batch.length) {
      const { extent, a: sa, b: sb, c: sc } = step.batch[d];
      for (let i = 0; i < extent; i++) visit(d + 1, ao + i * sa, bo + i * sb, co + i * sc);
      return;
    }
    for (let i = 0; i < step.m; i++)
      for (let j = 0; j < step.n; j++) {
        let sum = step.bias ? bias[j] : 0;
        for (let k = 0; k < step.k; k++)
          sum +=
            a[ao + i * step.aStrides[0] + k * step.aStrides[1]] *
            b[bo + k * step.bStrides[0] + j * step.bStrides[1]];
        c[co + i * step.cRow + j] = sum;
      }
  };
  visit(0, aStart, bStart, 0);
}

async function run(test: Case, threads: number, relaxed = false): Promise<Float32Array> {
  seed = 7;
  const { step, sizes, aStart, bStart } = makeStep(test);
  const buffers = sizes.map((size) => heap.allocate(4 * size));
  const views = buffers.map((offset, i) => new Float32Array(heap.buffer, offset, sizes[i]));
  for (const view of views) for (let i = 0; i < view.length; i++) view[i] = random();
  const before = views[2].slice();
  const context = contextOf([0, ...buffers]);
  const program: Program = { buffers: [], kernels: [], steps: [step], scratchBytes: 0, threads };
  // The asynchronous form waits for the workers, so that all of them take part.
  (await wasmCompiler({ threads, relaxed }).compileAsync(program)).run(context);
  const result = views[2].slice();
  if (threads === 1 && !relaxed) {
    // The code for the other architecture gives the same bits.
    views[2].set(before);
    otherProcessor(program)(context, 0, 1);
    expect(views[2].slice(), JSON.stringify(test)).toEqual(result);
  }
  const right = Float64Array.from(before);
  expected(step, views[0], views[1], views[3], right, aStart, bStart);
  let worst = 0;
  for (let i = 0; i < result.length; i++) worst = Math.max(worst, Math.abs(result[i] - right[i]));
  expect(worst, JSON.stringify(test)).toBeLessThan(1e-5 * Math.sqrt(test.k + 1) + 1e-6);
  for (const [i, offset] of [...buffers, context].entries())
    heap.release(offset, i < 4 ? 4 * sizes[i] : contextBytes(5));
  return result;
}

function otherProcessor(program: Program): (context: number, thread: number, threads: number) => void {
  const made = emitProgram(program, { relaxed: false, arm: !isArm(), threaded: false, mayWait: true });
  const env = { memory: heap.memory, barrier: 0, workspace: workspace(made.workspace, 1) };
  const instance = new WebAssembly.Instance(new WebAssembly.Module(made.bytes), { env });
  return instance.exports.main as (context: number, thread: number, threads: number) => void;
}

const layouts: Layout[] = ["NN", "NT", "TN", "TT", "strided", "backward"];

describe("matrix product", () => {
  it("agrees with a plain product for all layouts and tails", async () => {
    for (const layout of layouts)
      for (const [m, n, k] of [
        [1, 1, 1],
        [1, 64, 64],
        [3, 5, 7],
        [4, 8, 4],
        [8, 8, 8],
        [16, 40, 33],
        [13, 23, 17],
        [40, 1, 64],
        [41, 2, 64],
        [43, 3, 9],
        [5, 3, 4],
        [17, 33, 300],
        [24, 9, 513],
        [2, 70, 12],
        [9, 41, 2],
        [1, 7, 100],
        [70, 36, 64],
        [100, 64, 4],
        [16, 16, 0],
        [130, 520, 20],
        [64, 64, 256],
      ])
        for (const bias of [false, true]) await run({ m, n, k, layout, bias }, 1);
  });

  it("stays within the requested workspace", () => {
    const guard = 256;
    for (const arm of [false, true])
      for (const m of [1, 2, 3, 5, 8, 30])
        for (const n of [1, 7, 17, 20, 33, 52, 84, 100, 120])
          for (const layout of ["NN", "NT", "TN"] as const) {
            const { step, sizes } = makeStep({ m, n, k: 36, layout });
            const buffers = sizes.map((size) => heap.allocate(4 * size));
            const context = contextOf([0, ...buffers]);
            const { bytes, workspace: size } = emitProgram(
              { buffers: [], kernels: [], steps: [step], scratchBytes: 0, threads: 1 },
              { relaxed: false, arm, threaded: false, mayWait: true },
            );
            const offset = heap.allocate(size + guard);
            const after = new Uint8Array(heap.buffer, offset + size, guard).fill(171);
            const module = new WebAssembly.Module(bytes);
            const env = { memory: heap.memory, barrier: 0, workspace: offset };
            const instance = new WebAssembly.Instance(module, { env });
            (instance.exports.main as (context: number, thread: number, threads: number) => void)(
              context,
              0,
              1,
            );
            expect(
              after.every((x) => x === 171),
              JSON.stringify({ arm, m, n, layout }),
            ).toBe(true);
            for (const [i, offset] of buffers.entries()) heap.release(offset, 4 * sizes[i]);
            heap.release(context, contextBytes(5));
            heap.release(offset, size + guard);
          }
  });

  it("computes batched products", async () => {
    for (const layout of layouts)
      for (const sharedB of [false, true]) {
        await run({ m: 9, n: 12, k: 10, layout, batch: [3], sharedB }, 1);
        await run({ m: 16, n: 33, k: 8, layout, batch: [2, 3], sharedB, bias: true }, 1);
        await run({ m: 1, n: 20, k: 16, layout, batch: [5], sharedB }, 1);
      }
  });

  it("gives the same bits with any number of threads", async () => {
    for (const test of [
      { m: 70, n: 36, k: 600, layout: "NN" },
      { m: 70, n: 36, k: 64, layout: "NT" },
      { m: 64, n: 64, k: 256, layout: "TN" },
      { m: 3, n: 200, k: 40, layout: "NN" },
      { m: 33, n: 2, k: 50, layout: "TN" },
      { m: 33, n: 2, k: 50, layout: "NN" },
      { m: 1, n: 77, k: 50, layout: "NT" },
      { m: 20, n: 17, k: 9, layout: "TN", batch: [2, 3] },
    ] as Case[]) {
      const one = await run(test, 1);
      for (const threads of [2, 3]) expect(await run(test, threads), JSON.stringify(test)).toEqual(one);
    }
  });

  it("uses fused multiply-add when asked to, where the engine has it", async () => {
    for (const layout of layouts) {
      for (const [m, n, k] of [
        [9, 21, 30],
        [40, 200, 40],
        [40, 2, 40],
        [3, 50, 20],
        [64, 64, 256],
      ]) {
        await run({ m, n, k, layout }, 1, true);
      }
    }
  });
});
