import type { Gpu } from "../../../tensor/dist/backends/webgpu/gpu.js";
import { webGpuCompiler } from "../../../tensor/dist/backends/webgpu/webgpu.js";
import { interpret } from "../../../tensor/dist/kernel/interpret.js";
import type { Index, Kernel, Operand, Stmt, Value } from "../../../tensor/dist/kernel/kernel.js";
import { attempt, type Section } from "./section.ts";

const [rows, width] = [50, 40];

const value = (id: number, type: Value["type"] = "f32"): Value => ({ id, type });
const int = (constant: number): Operand => ({ constant, type: "i32" });
const row = value(0, "i32");
/** An element of the row in x or y. */
const inRow = (column: Value): Index => ({
  constant: 0,
  terms: [
    { variable: row, coefficient: width },
    { variable: column, coefficient: 1 },
  ],
});
const at = (column: Value, coefficient = 1, constant = 0): Index => ({
  constant,
  terms: [{ variable: column, coefficient }],
});
const loop = (variable: Value, body: readonly Stmt[]): Stmt => ({
  kind: "for",
  variable,
  extent: width,
  vector: true,
  body,
});
const [x, scratch, y] = [0, 1, 2];

/** Writes a row to scratch memory and reads it backwards: every element by another invocation than the one that wrote it. */
const turned = (first: number): Stmt[] => {
  const [i, a, j, b] = [value(first, "i32"), value(first + 1), value(first + 2, "i32"), value(first + 3)];
  return [
    loop(i, [
      { kind: "load", result: a, param: x, index: inRow(i) },
      { kind: "store", param: scratch, index: at(i), value: a },
    ]),
    loop(j, [
      { kind: "load", result: b, param: scratch, index: at(j, -1, width - 1) },
      { kind: "store", param: y, index: inRow(j), value: b },
    ]),
  ];
};

/** Writes the sum of the row to all its elements. */
const summed = (first: number): Stmt[] => {
  const [sum, i, a, next, all, j] = [0, 1, 2, 3, 4, 5].map((k) =>
    value(first + k, k === 1 || k === 5 ? "i32" : "f32"),
  );
  return [
    { kind: "declare", variable: sum, init: { constant: 0, type: "f32" }, lanes: true },
    loop(i, [
      { kind: "load", result: a, param: x, index: inRow(i) },
      { kind: "let", result: next, op: "add", args: [sum, a] },
      { kind: "assign", variable: sum, value: next },
    ]),
    { kind: "combine", result: all, accumulator: sum, op: "add" },
    loop(j, [{ kind: "store", param: y, index: inRow(j), value: all }]),
  ];
};

const [zero, first, positive] = [value(1, "i32"), value(2), value(3, "bool")];
/** Whether the row's first element is positive, which differs between the groups of a workgroup. */
const condition: Stmt[] = [
  { kind: "let", result: zero, op: "sub", args: [row, row] },
  { kind: "load", result: first, param: x, index: inRow(zero) },
  { kind: "let", result: positive, op: "gt", args: [first, { constant: 0, type: "f32" }] },
];
const [count, turns, more, next] = [value(4, "i32"), value(5, "i32"), value(6, "bool"), value(7, "i32")];

const bodies: { readonly [what: string]: readonly Stmt[] } = {
  "elements that other invocations wrote": turned(10),
  "sums of rows, then elements that other invocations wrote": [...summed(20), ...turned(10)],
  "barriers in a branch that only some rows take": [
    ...condition,
    { kind: "if", condition: positive, then: turned(10), else: summed(20) },
  ],
  "barriers in a loop that runs a different number of times for each row": [
    { kind: "let", result: turns, op: "rem", args: [row, int(3)] },
    { kind: "declare", variable: count, init: int(-1), lanes: false },
    {
      kind: "while",
      test: [{ kind: "let", result: more, op: "lt", args: [count, turns] }],
      condition: more,
      body: [
        ...turned(10),
        ...summed(20),
        { kind: "let", result: next, op: "add", args: [count, int(1)] },
        { kind: "assign", variable: count, value: next },
      ],
    },
  ],
};

/** Kernels whose invocations depend on each other, against the interpreter. */
export const kernels = (open: () => Promise<Gpu>): Section =>
  async function* (many) {
    const gpu = await open();
    for (const [what, body] of Object.entries(bodies).slice(0, many))
      yield {
        what,
        ...(await attempt(async () => {
          const params = [{ storage: "f32" }, { storage: "f32", scratch: true }, { storage: "f32" }] as const;
          const kernel: Kernel = { params, parallel: row, body, label: what };
          const input = Float32Array.from({ length: rows * width }, (_, i) => ((i * 37) % 64) - 31);
          const want = new Float32Array(rows * width);
          interpret(kernel, [input, new Float32Array(width), want], 0, rows);
          const got = await run(gpu, kernel, input);
          const wrong = want.findIndex((w, i) => w !== got[i]);
          return wrong < 0 ? undefined : `element ${wrong} is ${got[wrong]}, expected ${want[wrong]}`;
        })),
      };
  };

async function run(gpu: Gpu, kernel: Kernel, input: Float32Array): Promise<Float32Array> {
  const bytes = rows * width * 4;
  const buffer = (role: "arena" | "input" | "output", size = bytes) => ({ bytes: size, role, label: role });
  const { onDevice } = webGpuCompiler(gpu).compile({
    buffers: [buffer("arena", 0), buffer("input"), buffer("output")],
    kernels: [kernel],
    steps: [
      {
        kind: "call",
        kernel: 0,
        args: [
          { buffer: 1, offset: 0 },
          { buffer: 0, offset: 0, scratch: true },
          { buffer: 2, offset: 0 },
        ],
        extent: rows,
        barrier: false,
      },
    ],
    scratchBytes: width * 4,
    threads: 1,
  });
  const binding = onDevice!.bind();
  const [from, to] = [gpu.allocate(bytes), gpu.allocate(bytes)];
  gpu.upload(from, new Uint8Array(input.buffer));
  binding.point(1, from);
  binding.point(2, to);
  binding.run();
  const said = await gpu.read(to, bytes);
  binding.dispose();
  return new Float32Array(said.buffer);
}
