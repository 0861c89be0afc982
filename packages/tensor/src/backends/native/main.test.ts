import { describe, expect, test } from "vitest";
import type { Compute } from "../../dtype.ts";
import type { Kernel, Value } from "../../kernel/kernel.ts";
import type { Step } from "../../kernel/program.ts";
import { missing, runProgram } from "./testing.ts";

const v = (id: number, type: Compute = "f32"): Value => ({ id, type });
/** out[i] = x[i] + y[i] */
const add: Kernel = {
  label: "add",
  parallel: v(0, "i32"),
  params: [{ storage: "f32" }, { storage: "f32" }, { storage: "f32" }],
  body: [
    {
      kind: "load",
      result: v(1),
      param: 0,
      index: { constant: 0, terms: [{ variable: v(0, "i32"), coefficient: 1 }] },
    },
    {
      kind: "load",
      result: v(2),
      param: 1,
      index: { constant: 0, terms: [{ variable: v(0, "i32"), coefficient: 1 }] },
    },
    { kind: "let", result: v(3), op: "add", args: [v(1), v(2)] },
    {
      kind: "store",
      param: 2,
      index: { constant: 0, terms: [{ variable: v(0, "i32"), coefficient: 1 }] },
      value: v(3),
    },
  ],
};
/** out[i] = x[n - 1 - i]: reads what other threads wrote. */
const reverse = (n: number): Kernel => ({
  label: "reverse",
  parallel: v(0, "i32"),
  params: [{ storage: "f32" }, { storage: "f32" }],
  body: [
    {
      kind: "load",
      result: v(1),
      param: 0,
      index: { constant: n - 1, terms: [{ variable: v(0, "i32"), coefficient: -1 }] },
    },
    {
      kind: "store",
      param: 1,
      index: { constant: 0, terms: [{ variable: v(0, "i32"), coefficient: 1 }] },
      value: v(1),
    },
  ],
});

describe.skipIf(missing)("program", () => {
  test.each([1, 2, 3])(
    "prefix sums over rows: nested loops, advancing locations, copies; %i threads",
    (threads) => {
      const [rows, columns] = [6, 10];
      const row = columns * 4;
      // Two planes of rows × columns: every row gets the row before it added.
      const at = (buffer: number, offset: number) => ({
        buffer,
        offset,
        advance: [
          { loop: 7, stride: rows * row },
          { loop: 8, stride: row },
        ],
      });
      const steps: Step[] = [
        {
          kind: "copy",
          from: { buffer: 0, offset: 0 },
          to: { buffer: 1, offset: 0 },
          bytes: 2 * rows * row,
          barrier: false,
        },
        {
          kind: "loop",
          loop: 7,
          count: 2,
          most: 2,
          barrier: true,
          body: [
            {
              kind: "loop",
              loop: 8,
              count: rows - 1,
              most: rows,
              barrier: false,
              body: [
                {
                  kind: "call",
                  kernel: 0,
                  extent: columns,
                  barrier: true,
                  args: [at(1, 0), at(1, row), at(1, row)],
                },
              ],
            },
          ],
        },
      ];
      const x = Float32Array.from({ length: 2 * rows * columns }, (_, i) => i);
      const expected = x.slice();
      for (let i = 0; i < expected.length; i++)
        if (i % (rows * columns) >= columns) expected[i] += expected[i - columns];
      const [, y] = runProgram({ kernels: [add], steps, scratchBytes: 0, threads }, [
        x,
        new Float32Array(x.length),
      ]);
      expect(Array.from(y)).toEqual(Array.from(expected));
    },
  );

  test("a loop's count comes from memory and is limited", () => {
    for (const [count, runs] of [
      [-3, 0],
      [0, 0],
      [4, 4],
      [99, 9],
    ]) {
      const place = { buffer: 0, offset: 0 };
      const one = { buffer: 1, offset: 0 };
      const steps: Step[] = [
        {
          kind: "loop",
          loop: 0,
          count: { buffer: 2, offset: 4 },
          most: 9,
          barrier: false,
          body: [{ kind: "call", kernel: 0, extent: 1, barrier: false, args: [place, one, place] }],
        },
      ];
      const [x] = runProgram({ kernels: [add], steps, scratchBytes: 0, threads: 1 }, [
        new Float32Array(1),
        Float32Array.of(1),
        Int32Array.of(0, count),
      ]);
      expect(x[0]).toBe(runs);
    }
  });

  test("barriers: many rounds of reading what other threads wrote", () => {
    const n = 257;
    const [p, q] = [
      { buffer: 0, offset: 0 },
      { buffer: 1, offset: 0 },
    ];
    const steps: Step[] = [
      {
        kind: "loop",
        loop: 0,
        count: 400,
        most: 400,
        barrier: false,
        body: [
          { kind: "call", kernel: 0, extent: n, barrier: true, args: [p, q] },
          { kind: "call", kernel: 1, extent: n, barrier: true, args: [q, { buffer: 2, offset: 0 }, p] },
        ],
      },
    ];
    const program = (threads: number) => ({ kernels: [reverse(n), add], steps, scratchBytes: 0, threads });
    const x = Float32Array.from({ length: n }, (_, i) => i * i);
    const run = (threads: number) =>
      Array.from(
        runProgram(program(threads), [
          x,
          new Float32Array(n),
          Float32Array.from({ length: n }, (_, i) => i % 3),
        ])[0],
      );
    const expected = run(1);
    for (const threads of [2, 4, 2]) expect(run(threads)).toEqual(expected);
  });
});
