import { describe, expect, test } from "vitest";
import type { Compute, DType, TypedArray } from "../../dtype.ts";
import { interpret } from "../../kernel/interpret.ts";
import type { BasicOp, Index, Kernel, Operand, Stmt, Value } from "../../kernel/kernel.ts";
import { callStep, computeType, missing, random, runProgram, typedArray } from "./testing.ts";

const special = [
  0,
  -0,
  1,
  -1,
  0.5,
  -0.5,
  1.5,
  2.5,
  -2.5,
  3e9,
  -3e9,
  5e9,
  1e38,
  -1e38,
  1e-40,
  Infinity,
  -Infinity,
  NaN,
  8388609,
  0.1,
];
const specialInt = [0, 1, -1, 2, 3, 7, 31, 32, 33, -5, 255, 256, 1000, 2147483647, -2147483648];

function fill(dtype: DType, length: number, r: ReturnType<typeof random>): TypedArray {
  const array = typedArray(dtype, length);
  for (let i = 0; i < length; i++) {
    if (dtype === "f32") array[i] = r.int(3) === 0 ? r.pick(special) : (r.next() - 0.5) * 20;
    else if (dtype === "bool") array[i] = r.int(2);
    else array[i] = dtype === "u8" ? r.int(256) : r.pick(specialInt);
  }
  return array;
}

/** Runs a kernel both ways and compares the bytes (all NaNs are equal). */
function check(kernel: Kernel, params: TypedArray[], extent: number, threads = 1) {
  const expected = params.map((p) => p.slice());
  interpret(kernel, expected, 0, extent);
  const program = { kernels: [kernel], steps: [callStep(kernel, extent)], scratchBytes: 4096, threads };
  const actual = runProgram(program, params);
  actual.forEach((a, i) => {
    if (kernel.params[i].scratch) return;
    expect(Array.from(a), `parameter ${i} of ${kernel.label}`).toEqual(Array.from(expected[i]));
  });
}

const unary: Partial<Record<Compute, BasicOp[]>> = {
  f32: ["neg", "abs", "sqrt", "floor", "ceil", "trunc", "round", "f32toi32", "f32tou32", "bits_f32toi32"],
  i32: ["neg", "abs", "not", "i32tof32", "bits_i32tof32", "i32tou32"],
  u32: ["not", "u32tof32", "u32toi32"],
  bool: ["not", "booltoi32", "booltof32"],
};
const compare: BasicOp[] = ["eq", "ne", "lt", "le", "gt", "ge"];
const binary: Record<Compute, BasicOp[]> = {
  f32: ["add", "sub", "mul", "div", "min", "max", ...compare],
  i32: ["add", "sub", "mul", "div", "rem", "min", "max", "and", "or", "xor", "shl", "shr", ...compare],
  u32: ["add", "sub", "mul", "div", "rem", "min", "max", "and", "or", "xor", "shl", "shr", ...compare],
  bool: ["and", "or", "xor", ...compare],
};
function resultType(op: BasicOp, type: Compute): Compute {
  if (compare.includes(op)) return "bool";
  if (op === "f32toi32" || op === "bits_f32toi32" || op === "booltoi32" || op === "u32toi32") return "i32";
  if (op === "f32tou32" || op === "i32tou32") return "u32";
  return op === "i32tof32" || op === "u32tof32" || op === "booltof32" || op === "bits_i32tof32"
    ? "f32"
    : type;
}

/** Random straight-line code over `inputs` that stores everything it computes. */
function randomKernel(seed: number): { kernel: Kernel; params: TypedArray[]; extent: number } {
  const r = random(seed);
  const rows = 1 + r.int(4);
  const columns = r.pick([1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 48, 50, 64]);
  const inputs: DType[] = ["f32", "f32", "i32", "u32", "u8", "bool"];
  let id = 0;
  const value = (type: Compute): Value => ({ id: id++, type });
  const row = value("i32");
  const column = value("i32");
  const params: { storage: DType }[] = [];
  const arrays: TypedArray[] = [];
  const body: Stmt[] = [];
  const pool: Operand[] = [
    column,
    row,
    { constant: -0, type: "f32" },
    { constant: 1.25, type: "f32" },
    { constant: 7, type: "i32" },
    { constant: 3, type: "u32" },
  ];
  for (const storage of inputs) {
    const coefficient = r.pick([1, 1, 1, 0, 2, -1]);
    const result = value(computeType(storage));
    const constant = coefficient < 0 ? columns : 0;
    const index: Index = {
      constant,
      terms: [
        { variable: row, coefficient: 3 },
        { variable: column, coefficient },
      ],
    };
    body.push({ kind: "load", result, param: params.length, index });
    params.push({ storage });
    arrays.push(fill(storage, 3 * rows + 2 * columns + 8, r));
    pool.push(result);
  }
  // A gather: an index read from memory, masked into range.
  const masked = value("i32");
  const gathered = value("f32");
  body.push({
    kind: "let",
    result: masked,
    op: "and",
    args: [r.pick(pool.filter((o) => o.type === "i32" && "id" in o)), { constant: 7, type: "i32" }],
  });
  body.push({
    kind: "load",
    result: gathered,
    param: 0,
    index: { constant: 0, terms: [], dynamic: [{ value: masked, coefficient: 1 }] },
  });
  pool.push(masked, gathered);
  for (let n = 0; n < 24; n++) {
    const a = r.pick(pool);
    const same = pool.filter((o) => o.type === a.type);
    const kind = r.int(5);
    let op: BasicOp;
    let args: Operand[];
    if (kind === 0) [op, args] = [r.pick(unary[a.type]!), [a]];
    else if (kind === 1 && pool.some((o) => o.type === "bool")) {
      [op, args] = ["select", [r.pick(pool.filter((o) => o.type === "bool")), a, r.pick(same)]];
    } else [op, args] = [r.pick(binary[a.type]), [a, r.pick(same)]];
    const result = value(op === "select" ? a.type : resultType(op, a.type));
    body.push({ kind: "let", result, op, args });
    pool.push(result);
  }
  for (const v of pool.slice(-16)) {
    const storage: DType = v.type === "i32" && r.int(2) ? "u8" : v.type;
    const stride = r.pick([1, 1, 1, 2]);
    const terms = [
      { variable: row, coefficient: columns * stride },
      { variable: column, coefficient: stride },
    ];
    body.push({ kind: "store", param: params.length, value: v, index: { constant: 1, terms } });
    params.push({ storage });
    arrays.push(typedArray(storage, rows * columns * stride + 2));
  }
  const loop: Stmt = { kind: "for", variable: column, extent: columns, vector: true, body };
  return {
    kernel: { params, parallel: row, body: [loop], label: `random ${seed}` },
    params: arrays,
    extent: rows,
  };
}

describe.skipIf(missing)("C emitter", () => {
  test("random elementwise kernels give the reference bits, tails, bytes, masks and gathers included", () => {
    for (let seed = 1; seed <= 25; seed++) {
      const { kernel, params, extent } = randomKernel(seed);
      check(kernel, params, extent, 1 + (seed % 2));
    }
  });

  test.each([1, 3, 4, 16, 37, 64, 200, 512])("accumulators over %i elements", (columns) => {
    const r = random(columns);
    const v = (id: number, type: Compute = "f32"): Value => ({ id, type });
    const index = {
      constant: 0,
      terms: [
        { variable: v(0, "i32"), coefficient: columns },
        { variable: v(1, "i32"), coefficient: 1 },
      ],
    };
    const out = (constant: number) => ({ constant, terms: [{ variable: v(0, "i32"), coefficient: 3 }] });
    const kernel: Kernel = {
      label: "row sums, maxima and least integers",
      parallel: v(0, "i32"),
      params: [{ storage: "f32" }, { storage: "i32" }, { storage: "f32" }],
      body: [
        { kind: "declare", variable: v(2), init: { constant: 0, type: "f32" }, lanes: true },
        { kind: "declare", variable: v(3), init: { constant: -Infinity, type: "f32" }, lanes: true },
        { kind: "declare", variable: v(9, "i32"), init: { constant: 2147483647, type: "i32" }, lanes: true },
        {
          kind: "for",
          variable: v(1, "i32"),
          extent: columns,
          vector: true,
          body: [
            { kind: "load", result: v(4), param: 0, index },
            { kind: "let", result: v(5), op: "fma", args: [v(4), v(4), v(2)] },
            { kind: "assign", variable: v(2), value: v(5) },
            { kind: "let", result: v(6), op: "max", args: [v(3), v(4)] },
            { kind: "assign", variable: v(3), value: v(6) },
            { kind: "load", result: v(10, "i32"), param: 1, index },
            { kind: "let", result: v(11, "i32"), op: "min", args: [v(9, "i32"), v(10, "i32")] },
            { kind: "assign", variable: v(9, "i32"), value: v(11, "i32") },
          ],
        },
        { kind: "combine", result: v(7), accumulator: v(2), op: "add" },
        { kind: "combine", result: v(8), accumulator: v(3), op: "max" },
        { kind: "combine", result: v(12, "i32"), accumulator: v(9, "i32"), op: "min" },
        { kind: "let", result: v(13), op: "i32tof32", args: [v(12, "i32")] },
        { kind: "store", param: 2, index: out(0), value: v(7) },
        { kind: "store", param: 2, index: out(1), value: v(8) },
        { kind: "store", param: 2, index: out(2), value: v(13) },
      ],
    };
    const x = Float32Array.from({ length: 5 * columns }, () => r.next() * 8 - 4);
    const y = Int32Array.from({ length: 5 * columns }, () => r.int(1000) - 500);
    check(kernel, [x, y, new Float32Array(15)], 5, 2);
  });

  test("column sums: a loop inside a vector loop, with a variable for every lane", () => {
    const v = (id: number, type: Compute = "f32"): Value => ({ id, type });
    const kernel: Kernel = {
      label: "column sums",
      parallel: v(0, "i32"),
      params: [{ storage: "f32" }, { storage: "f32" }],
      body: [
        {
          kind: "for",
          variable: v(1, "i32"),
          extent: 21,
          vector: true,
          body: [
            { kind: "declare", variable: v(2), init: { constant: 0, type: "f32" }, lanes: true },
            {
              kind: "for",
              variable: v(3, "i32"),
              extent: 6,
              vector: false,
              body: [
                {
                  kind: "load",
                  result: v(4),
                  param: 0,
                  index: {
                    constant: 0,
                    terms: [
                      { variable: v(3, "i32"), coefficient: 21 },
                      { variable: v(1, "i32"), coefficient: 1 },
                    ],
                  },
                },
                { kind: "let", result: v(5), op: "add", args: [v(2), v(4)] },
                { kind: "assign", variable: v(2), value: v(5) },
              ],
            },
            {
              kind: "store",
              param: 1,
              index: { constant: 0, terms: [{ variable: v(1, "i32"), coefficient: 1 }] },
              value: v(2),
            },
          ],
        },
      ],
    };
    check(kernel, [Float32Array.from({ length: 126 }, (_, i) => Math.sin(i)), new Float32Array(21)], 1);
  });

  test("branches, while loops, run-time bounds, scratch and straight kernels", () => {
    const v = (id: number, type: Compute = "i32"): Value => ({ id, type });
    const at = (variable: Value, coefficient = 1): Index => ({
      constant: 0,
      terms: [{ variable, coefficient }],
    });
    const kernel: Kernel = {
      label: "halve until odd, through scratch",
      parallel: v(0),
      params: [{ storage: "i32" }, { storage: "i32" }, { storage: "i32", scratch: true }],
      body: [
        { kind: "load", result: v(1), param: 0, index: at(v(0)) },
        { kind: "declare", variable: v(2), init: v(1), lanes: false },
        {
          kind: "while",
          test: [
            { kind: "let", result: v(3), op: "and", args: [v(2), { constant: 1, type: "i32" }] },
            { kind: "let", result: v(4, "bool"), op: "eq", args: [v(3), { constant: 0, type: "i32" }] },
          ],
          condition: v(4, "bool"),
          body: [
            { kind: "let", result: v(5), op: "shr", args: [v(2), { constant: 1, type: "i32" }] },
            { kind: "assign", variable: v(2), value: v(5) },
          ],
        },
        {
          kind: "for",
          variable: v(6),
          from: { constant: 2, type: "i32" },
          extent: v(2),
          vector: true,
          body: [{ kind: "store", param: 2, index: at(v(6)), value: v(6) }],
        },
        { kind: "let", result: v(7, "bool"), op: "gt", args: [v(2), { constant: 2, type: "i32" }] },
        {
          kind: "if",
          condition: v(7, "bool"),
          then: [
            { kind: "let", result: v(8), op: "sub", args: [v(2), { constant: 1, type: "i32" }] },
            {
              kind: "load",
              result: v(9),
              param: 2,
              index: { constant: 0, terms: [], dynamic: [{ value: v(8), coefficient: 1 }] },
            },
            { kind: "store", param: 1, index: at(v(0)), value: v(9) },
          ],
          else: [{ kind: "store", param: 1, index: at(v(0)), value: v(2) }],
        },
      ],
    };
    check(kernel, [Int32Array.from([6, 8, 60, 77, 100, 13]), new Int32Array(6), new Int32Array(128)], 6, 2);

    const straight: Kernel = {
      label: "parallel variable in lanes",
      parallel: v(0),
      params: [{ storage: "u8" }, { storage: "f32" }],
      body: [
        { kind: "load", result: v(1), param: 0, index: at(v(0)) },
        { kind: "let", result: v(2, "f32"), op: "i32tof32", args: [v(1)] },
        { kind: "store", param: 1, index: at(v(0)), value: v(2, "f32") },
      ],
    };
    check(straight, [Uint8Array.from({ length: 75 }, (_, i) => i * 7), new Float32Array(75)], 75, 2);
  });
});
