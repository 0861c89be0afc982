import { describe, expect, it } from "vitest";
import { heap } from "../../heap.ts";
import type { Kernel, Value } from "../../kernel/kernel.ts";
import type { Program, Step } from "../../kernel/program.ts";
import { contextOf as context } from "../../testing/context.ts";
import { wasmCompiler } from "./wasm.ts";

const value = (id: number, type: Value["type"]): Value => ({ id, type });

/** out[p, j] = 2 · in[p, j] + 1 for rows of `length`. */
function affine(length: number): Kernel {
  const [p, j, x, t, y] = [
    value(0, "i32"),
    value(1, "i32"),
    value(2, "f32"),
    value(3, "f32"),
    value(4, "f32"),
  ];
  const index = {
    constant: 0,
    terms: [
      { variable: p, coefficient: length },
      { variable: j, coefficient: 1 },
    ],
  };
  return {
    label: "affine",
    params: [{ storage: "f32" }, { storage: "f32" }],
    parallel: p,
    body: [
      {
        kind: "for",
        variable: j,
        extent: length,
        vector: true,
        body: [
          { kind: "load", result: x, param: 0, index },
          { kind: "let", result: t, op: "mul", args: [x, { constant: 2, type: "f32" }] },
          { kind: "let", result: y, op: "add", args: [t, { constant: 1, type: "f32" }] },
          { kind: "store", param: 1, index, value: y },
        ],
      },
    ],
  };
}

/** Reverses the rows across threads through scratch and back: out[p] = in[rows - 1 - p], by way of each thread's scratch. */
function reverse(rows: number, length: number): Kernel {
  const [p, j, x, y] = [value(0, "i32"), value(1, "i32"), value(2, "f32"), value(3, "f32")];
  const scratch = { constant: 0, terms: [{ variable: j, coefficient: 1 }] };
  return {
    label: "reverse",
    params: [{ storage: "f32" }, { storage: "f32" }, { storage: "f32", scratch: true }],
    parallel: p,
    body: [
      {
        kind: "for",
        variable: j,
        extent: length,
        vector: true,
        body: [
          {
            kind: "load",
            result: x,
            param: 0,
            index: {
              constant: (rows - 1) * length,
              terms: [
                { variable: p, coefficient: -length },
                { variable: j, coefficient: 1 },
              ],
            },
          },
          { kind: "store", param: 2, index: scratch, value: x },
        ],
      },
      {
        kind: "for",
        variable: j,
        extent: length,
        vector: true,
        body: [
          { kind: "load", result: y, param: 2, index: scratch },
          {
            kind: "store",
            param: 1,
            index: {
              constant: 0,
              terms: [
                { variable: p, coefficient: length },
                { variable: j, coefficient: 1 },
              ],
            },
            value: y,
          },
        ],
      },
    ],
  };
}

const place = (buffer: number, offset = 0, ...advance: { loop: number; stride: number }[]) => ({
  buffer,
  offset,
  advance,
});

describe("wasmCompiler", () => {
  it("runs loops inside loops, with places that advance and counts from memory", () => {
    // buffer 1[i, j] (2 × 3 rows of 8) -> affine -> buffer 2, then the last row copied to its end.
    const row = 32;
    const [input, output, count] = [heap.allocate(6 * row), heap.allocate(7 * row), heap.allocate(4)];
    const advance = [
      { loop: 0, stride: 3 * row },
      { loop: 1, stride: row },
    ];
    const steps: Step[] = [
      {
        kind: "loop",
        loop: 0,
        count: 2,
        most: 2,
        barrier: true,
        body: [
          {
            kind: "loop",
            loop: 1,
            count: place(3),
            most: 3,
            barrier: false,
            body: [
              {
                kind: "call",
                kernel: 0,
                args: [place(1, 0, ...advance), place(2, 0, ...advance)],
                extent: 1,
                barrier: false,
              },
            ],
          },
        ],
      },
      { kind: "copy", from: place(2, 0), to: place(2, 6 * row), bytes: row, barrier: true },
    ];
    const program: Program = { buffers: [], kernels: [affine(8)], steps, scratchBytes: 0, threads: 1 };
    const executable = wasmCompiler().compile(program);
    const at = context([0, input, output, count]);
    const from = new Float32Array(heap.buffer, input, 48);
    const to = new Float32Array(heap.buffer, output, 56);
    for (let i = 0; i < from.length; i++) from[i] = i;
    for (const [n, rows] of [
      [0, 0],
      [2, 2],
      [3, 3],
      [100, 3],
      [-1, 0],
    ]) {
      to.fill(-7);
      new Int32Array(heap.buffer, count, 1)[0] = n;
      executable.run(at);
      for (let i = 0; i < 48; i++) expect(to[i]).toBe(Math.floor(i / 8) % 3 < rows ? 2 * i + 1 : -7);
      expect([...to.subarray(48)]).toEqual([...to.subarray(0, 8)]);
    }
    expect(executable.source).toContain("affine");
  });

  it("shares work among threads, with barriers and private scratch", async () => {
    const [rows, length] = [37, 100];
    const bytes = 4 * rows * length;
    const steps: Step[] = [
      {
        kind: "loop",
        loop: 0,
        count: 3,
        most: 3,
        barrier: true,
        body: [
          { kind: "call", kernel: 0, args: [place(1), place(2)], extent: rows, barrier: true },
          {
            kind: "call",
            kernel: 1,
            args: [place(2), place(1), { buffer: 0, offset: 0, scratch: true }],
            extent: rows,
            barrier: true,
          },
          { kind: "call", kernel: 2, args: [place(1), place(2)], extent: 1, barrier: true },
          { kind: "copy", from: place(2), to: place(1), bytes: 4, barrier: true },
        ],
      },
      { kind: "copy", from: place(1), to: place(3), bytes, barrier: true },
    ];
    const program: Program = {
      buffers: [],
      kernels: [affine(length), reverse(rows, length), affine(1)],
      steps,
      scratchBytes: 4 * length,
      threads: 3,
    };
    const results: Float32Array[] = [];
    for (const threads of [1, 2, 3]) {
      const executable = await wasmCompiler({ threads }).compileAsync(program);
      const [a, b, c, scratch] = [bytes, bytes, bytes, 3 * 448].map((n) => heap.allocate(n));
      const view = new Float32Array(heap.buffer, a, rows * length);
      for (let i = 0; i < view.length; i++) view[i] = i % 101;
      const at = context([0, a, b, c], scratch);
      for (let i = 0; i < 4; i++) executable.run(at);
      results.push(new Float32Array(heap.buffer, c, rows * length).slice());
    }
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
  });

  it("runs several threaded programs in turn without waiting for workers", () => {
    // Synchronous compilation does not wait for workers: the first runs are on one thread and later ones on all.
    const compiler = wasmCompiler({ threads: 2 });
    const [a, b] = [heap.allocate(4 * 64 * 64), heap.allocate(4 * 64 * 64)];
    const at = context([0, a, b]);
    const view = new Float32Array(heap.buffer, a, 64 * 64).fill(3);
    const out = new Float32Array(heap.buffer, b, 64 * 64);
    const programs = [8, 16, 32, 64].map((length) =>
      compiler.compile({
        buffers: [],
        kernels: [affine(length)],
        scratchBytes: 0,
        threads: 2,
        steps: [
          {
            kind: "call",
            kernel: 0,
            args: [place(1), place(2)],
            extent: view.length / length,
            barrier: true,
          },
        ],
      }),
    );
    const end = performance.now() + 300;
    for (let i = 0; performance.now() < end; i++) {
      out.fill(0);
      programs[i % 4].run(at);
      if (out.some((x) => x !== 7)) throw new Error(`Run ${i} is wrong.`);
    }
  });
});
