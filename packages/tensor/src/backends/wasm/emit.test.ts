import { describe, expect, it } from "vitest";
import type { DType } from "../../dtype.ts";
import { byteSize, typedArray } from "../../dtype.ts";
import { heap } from "../../heap.ts";
import { interpret, roundedTwice } from "../../kernel/interpret.ts";
import type { BasicOp, Index, Kernel, Operand, Stmt, Value } from "../../kernel/kernel.ts";
import { ModuleBuilder } from "./assembler.ts";
import { emitKernel, kernelSignature } from "./emit.ts";

type Data = { dtype: DType; values: number[] };

/** Runs a kernel in WebAssembly, written for ARM and for x86, and in the interpreter, and compares all bytes. */
function check(kernel: Kernel, data: Data[], extent: number): void {
  for (const arm of [false, true]) checkOn(arm, kernel, data, extent);
}

function checkOn(arm: boolean, kernel: Kernel, data: Data[], extent: number): void {
  const module = new ModuleBuilder();
  const { code } = module.function(kernelSignature(kernel), "kernel");
  emitKernel(kernel, code, { relaxed: false, arm });
  const instance = new WebAssembly.Instance(new WebAssembly.Module(module.finish()), {
    env: { memory: heap.memory },
  });
  const offsets = data.map((d) => heap.allocate(d.values.length * byteSize(d.dtype) + 64));
  const views = data.map((d, i) => {
    const view = typedArray(d.dtype, heap.buffer, offsets[i], d.values.length);
    view.set(d.values);
    return view;
  });
  const expected = data.map((d) => {
    const array = typedArray(d.dtype, d.values.length);
    array.set(d.values);
    return array;
  });
  // In two parts, as two threads would.
  const half = extent >> 1;
  const run = instance.exports.kernel as (...args: number[]) => void;
  run(...offsets, 0, half);
  run(...offsets, half, extent);
  interpret(kernel, expected, 0, extent, 0, roundedTwice);
  views.forEach((view, i) => {
    for (let j = 0; j < view.length; j++) {
      if (!Object.is(view[j], expected[i][j])) {
        expect({ label: kernel.label, param: i, at: j, value: view[j] }).toEqual({
          label: kernel.label,
          param: i,
          at: j,
          value: expected[i][j],
        });
      }
    }
  });
  for (const [i, d] of data.entries()) heap.release(offsets[i], d.values.length * byteSize(d.dtype) + 64);
}

let ids = 0;
const value = (type: Value["type"]): Value => ({ id: ids++, type });
const f = (constant: number): Operand => ({ constant, type: "f32" });
const n = (constant: number): Operand => ({ constant, type: "i32" });
const at = (constant: number, ...terms: [Value, number][]): Index => ({
  constant,
  terms: terms.map(([variable, coefficient]) => ({ variable, coefficient })),
});
const def = (result: Value, op: BasicOp, ...args: Operand[]): Stmt => ({ kind: "let", result, op, args });
const read = (result: Value, param: number, index: Index): Stmt => ({ kind: "load", result, param, index });
const write = (param: number, index: Index, x: Operand): Stmt => ({ kind: "store", param, index, value: x });

let seed = 1;
const random = () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
};
const pick = <T>(xs: readonly T[]): T => xs[Math.floor(random() * xs.length)];
const odd = [
  0,
  -0,
  1,
  -1,
  Number.NaN,
  Infinity,
  -Infinity,
  2.5,
  -2.5,
  3.5,
  0.5,
  1e30,
  -1e30,
  2147483648,
  4294967296,
  -3e9,
  1e-40,
];
const floats = (length: number) =>
  Array.from({ length }, () => Math.fround(random() < 0.3 ? pick(odd) : (random() - 0.5) * 20));
const ints = (length: number) =>
  Array.from({ length }, () =>
    random() < 0.3
      ? pick([0, -1, 1, 2147483647, -2147483648, 31, 32, 33])
      : Math.floor((random() - 0.5) * 200),
  );
const bytes = (length: number) => Array.from({ length }, () => Math.floor(random() * 256));
const bools = (length: number) => Array.from({ length }, () => Math.floor(random() * 2));

const floatBinary: BasicOp[] = ["add", "sub", "mul", "div", "min", "max"];
const floatUnary: BasicOp[] = ["neg", "abs", "sqrt", "floor", "ceil", "trunc", "round"];
const intBinary: BasicOp[] = [
  "add",
  "sub",
  "mul",
  "div",
  "rem",
  "and",
  "or",
  "xor",
  "shl",
  "shr",
  "min",
  "max",
];
const compares: BasicOp[] = ["eq", "ne", "lt", "le", "gt", "ge"];

describe("emitKernel", () => {
  /** Elementwise kernels of every operation on every type, over extents with and without tails. */
  it("computes every operation as defined", () => {
    const unary: [BasicOp, DType, Value["type"], DType][] = [
      ...floatUnary.map((op) => [op, "f32", "f32", "f32"] as [BasicOp, DType, Value["type"], DType]),
      ["neg", "i32", "i32", "i32"],
      ["abs", "i32", "i32", "i32"],
      ["not", "i32", "i32", "i32"],
      ["not", "bool", "bool", "bool"],
      ["f32toi32", "f32", "i32", "i32"],
      ["f32tou32", "f32", "u32", "u32"],
      ["i32tof32", "i32", "f32", "f32"],
      ["u32tof32", "u32", "f32", "f32"],
      ["booltoi32", "bool", "i32", "i32"],
      ["booltof32", "bool", "f32", "f32"],
      ["bits_f32toi32", "f32", "i32", "i32"],
      ["i32tou32", "i32", "u32", "u32"],
      ["u32toi32", "u32", "i32", "i32"],
    ];
    for (const [op, source, type, target] of unary) {
      for (const length of [16, 23]) {
        const p = value("i32");
        const j = value("i32");
        const x = value(source === "u8" ? "i32" : source);
        const y = value(type);
        const kernel: Kernel = {
          label: op,
          params: [{ storage: source }, { storage: target }],
          parallel: p,
          body: [
            {
              kind: "for",
              variable: j,
              extent: length,
              vector: true,
              body: [
                read(x, 0, at(0, [p, length], [j, 1])),
                def(y, op, x),
                write(1, at(0, [p, length], [j, 1]), y),
              ],
            },
          ],
        };
        const input =
          source === "f32"
            ? floats(3 * length)
            : source === "bool"
              ? bools(3 * length)
              : ints(3 * length).map((v) => (source === "u32" ? v >>> 0 : v));
        check(
          kernel,
          [
            { dtype: source, values: input },
            { dtype: target, values: new Array(3 * length).fill(7) },
          ],
          3,
        );
      }
    }
    const kinds: [DType, BasicOp[]][] = [
      ["f32", floatBinary],
      ["i32", intBinary],
      ["u32", intBinary],
      ["bool", ["and", "or", "xor"]],
      ["u8", ["add", "mul", "div"]],
    ];
    for (const [dtype, ops] of kinds) {
      const type = dtype === "u8" ? "i32" : dtype;
      const some = (length: number) =>
        dtype === "f32"
          ? floats(length)
          : dtype === "bool"
            ? bools(length)
            : dtype === "u8"
              ? bytes(length)
              : ints(length).map((v) => (dtype === "u32" ? v >>> 0 : v));
      for (const op of [...ops, ...compares, "select" as const]) {
        const compared = compares.includes(op);
        for (const length of [8, 37])
          for (const uniform of [0, 1, 2]) {
            const p = value("i32");
            const j = value("i32");
            const [x, y] = [value(type), value(type)];
            const z = value(compared ? "bool" : type);
            const m = value("bool");
            const second: Operand = uniform === 2 ? { constant: dtype === "bool" ? 1 : 3, type } : y;
            const kernel: Kernel = {
              label: `${op} ${dtype}`,
              params: [{ storage: dtype }, { storage: dtype }, { storage: compared ? "bool" : dtype }],
              parallel: p,
              body: [
                {
                  kind: "for",
                  variable: j,
                  extent: length,
                  vector: true,
                  body: [
                    read(x, 0, at(0, [p, length], [j, 1])),
                    read(y, 1, at(0, [p, 1], [j, uniform === 1 ? 0 : 1])),
                    ...(op === "select"
                      ? [def(m, "lt", second, x), def(z, op, m, x, second)]
                      : [def(z, op, x, second)]),
                    write(2, at(0, [p, length], [j, 1]), z),
                  ],
                },
              ],
            };
            check(
              kernel,
              [
                { dtype, values: some(2 * length) },
                { dtype, values: some(length + 2) },
                { dtype: compared ? "bool" : dtype, values: new Array(2 * length).fill(0) },
              ],
              2,
            );
          }
      }
    }
  });

  it("reduces by sum and maximum with any number of lanes", () => {
    for (const length of [1, 3, 4, 7, 8, 15, 16, 17, 64, 101])
      for (const op of ["add", "max"] as const)
        for (const outer of [1, 3]) {
          const p = value("i32");
          const [i, j] = [value("i32"), value("i32")];
          const [acc, x, t, r] = [value("f32"), value("f32"), value("f32"), value("f32")];
          const kernel: Kernel = {
            label: `${op} ${length}`,
            params: [{ storage: "f32" }, { storage: "f32" }],
            parallel: p,
            body: [
              { kind: "declare", variable: acc, init: f(op === "add" ? 0 : -Infinity), lanes: true },
              {
                kind: "for",
                variable: i,
                extent: outer,
                vector: false,
                body: [
                  {
                    kind: "for",
                    variable: j,
                    extent: length,
                    vector: true,
                    body: [
                      read(x, 0, at(0, [p, length * outer], [i, length], [j, 1])),
                      def(t, op, acc, x),
                      { kind: "assign", variable: acc, value: t },
                    ],
                  },
                ],
              },
              { kind: "combine", result: r, accumulator: acc, op },
              write(1, at(0, [p, 1]), r),
            ],
          };
          const input = Array.from({ length: 5 * length * outer }, () => Math.fround(random() * 100 - 50));
          check(
            kernel,
            [
              { dtype: "f32", values: input },
              { dtype: "f32", values: [0, 0, 0, 0, 0] },
            ],
            5,
          );
        }
  });

  it("reduces columns with a loop inside the vector loop, with run-time bounds", () => {
    for (const [rows, columns] of [
      [5, 16],
      [9, 21],
      [1, 3],
      [0, 8],
    ]) {
      const p = value("i32");
      const [i, j] = [value("i32"), value("i32")];
      const [acc, x, t, s, from, to] = [
        value("f32"),
        value("f32"),
        value("f32"),
        value("f32"),
        value("i32"),
        value("i32"),
      ];
      const kernel: Kernel = {
        label: "columns",
        params: [{ storage: "f32" }, { storage: "f32" }, { storage: "f32" }],
        parallel: p,
        body: [
          def(from, "mul", p, n(columns)),
          def(to, "add", from, n(columns)),
          {
            kind: "for",
            variable: j,
            from,
            extent: to,
            vector: true,
            body: [
              { kind: "declare", variable: acc, init: f(0), lanes: false },
              {
                kind: "for",
                variable: i,
                extent: rows,
                vector: false,
                body: [
                  read(x, 0, at(0, [i, 2 * columns], [j, 1])),
                  read(s, 2, at(0, [i, 1])),
                  def(t, "fma", x, s, acc),
                  { kind: "assign", variable: acc, value: t },
                ],
              },
              write(1, at(0, [j, 1]), acc),
            ],
          },
        ],
      };
      check(
        kernel,
        [
          { dtype: "f32", values: floats(2 * rows * columns) },
          { dtype: "f32", values: floats(2 * columns) },
          { dtype: "f32", values: floats(rows) },
        ],
        2,
      );
    }
  });

  it("gathers, scatters, reverses and strides", () => {
    for (const dtype of ["f32", "i32", "u8", "bool"] as const)
      for (const length of [4, 13]) {
        const type = dtype === "u8" ? "i32" : dtype;
        const p = value("i32");
        const j = value("i32");
        const [k, row, a, b, c, d] = [
          value("i32"),
          value("i32"),
          value(type),
          value(type),
          value(type),
          value(type),
        ];
        const kernel: Kernel = {
          label: `gather ${dtype}`,
          params: [
            { storage: dtype },
            { storage: "i32" },
            ...Array.from({ length: 5 }, () => ({ storage: dtype })),
          ],
          parallel: p,
          body: [
            read(row, 1, at(0, [p, 1])),
            {
              kind: "for",
              variable: j,
              extent: length,
              vector: true,
              body: [
                read(k, 1, at(0, [j, 1])),
                read(a, 0, {
                  ...at(1, [p, 2]),
                  dynamic: [
                    { value: k, coefficient: 2 },
                    { value: p, coefficient: 1 },
                  ],
                }),
                read(b, 0, { ...at(0, [j, 1]), dynamic: [{ value: row, coefficient: 3 }] }),
                read(c, 0, at(length - 1, [p, 1], [j, -1])),
                read(d, 0, at(0, [p, 1], [j, 3])),
                write(2, at(0, [p, length], [j, 1]), a),
                write(3, at(0, [p, length], [j, 1]), b),
                write(4, at(2 * length - 1, [p, -length], [j, -1]), c),
                write(5, at(0, [p, 1], [j, 2]), d),
                write(6, { ...at(0, [p, length]), dynamic: [{ value: k, coefficient: 1 }] }, d),
              ],
            },
          ],
        };
        const some = (l: number) => (dtype === "f32" ? floats(l) : dtype === "bool" ? bools(l) : bytes(l));
        const order = Array.from({ length }, (_, i) => (i * 5) % length);
        check(
          kernel,
          [
            { dtype, values: some(6 * length + 8) },
            { dtype: "i32", values: order },
            ...Array.from({ length: 5 }, () => ({ dtype, values: some(2 * length + 2) })),
          ],
          2,
        );
      }
  });

  it("runs if, while and loops with bounds from memory", () => {
    const p = value("i32");
    const [x, i, t, c, steps, s, j] = [
      value("i32"),
      value("i32"),
      value("i32"),
      value("bool"),
      value("i32"),
      value("i32"),
      value("i32"),
    ];
    const [half, three, four, even, bit, done, old, more] = [
      value("i32"),
      value("i32"),
      value("i32"),
      value("bool"),
      value("i32"),
      value("i32"),
      value("i32"),
      value("i32"),
    ];
    const kernel: Kernel = {
      label: "collatz",
      params: [{ storage: "i32" }, { storage: "i32" }, { storage: "i32" }],
      parallel: p,
      body: [
        read(x, 0, at(0, [p, 1])),
        { kind: "declare", variable: t, init: x, lanes: false },
        { kind: "declare", variable: steps, init: n(0), lanes: false },
        {
          kind: "while",
          test: [def(c, "gt", t, n(1))],
          condition: c,
          body: [
            def(bit, "and", t, n(1)),
            def(even, "eq", bit, n(0)),
            {
              kind: "if",
              condition: even,
              then: [def(half, "shr", t, n(1)), { kind: "assign", variable: t, value: half }],
              else: [
                def(three, "mul", t, n(3)),
                def(four, "add", three, n(1)),
                { kind: "assign", variable: t, value: four },
              ],
            },
            def(s, "add", steps, n(1)),
            { kind: "assign", variable: steps, value: s },
          ],
        },
        write(1, at(0, [p, 1]), steps),
        def(done, "rem", x, n(5)),
        {
          kind: "for",
          variable: i,
          from: n(1),
          extent: done,
          vector: false,
          body: [
            {
              kind: "for",
              variable: j,
              extent: done,
              vector: true,
              body: [
                read(old, 2, at(-1, [p, 25], [i, 5], [j, 1])),
                def(more, "add", old, j),
                write(2, at(-1, [p, 25], [i, 5], [j, 1]), more),
              ],
            },
          ],
        },
      ],
    };
    const count = 12;
    check(
      kernel,
      [
        { dtype: "i32", values: Array.from({ length: count }, (_, k) => k * 3 + 1) },
        { dtype: "i32", values: new Array(count).fill(0) },
        { dtype: "i32", values: ints(count * 25) },
      ],
      count,
    );
  });

  it("agrees on random expression trees that share values and variables", () => {
    for (let round = 0; round < 300; round++) {
      const length = 1 + Math.floor(random() * 40);
      const p = value("i32");
      const j = value("i32");
      const body: Stmt[] = [];
      const outside: Stmt[] = [];
      const scope: Value[] = [];
      const size = Math.floor(random() * 20) + 1;
      for (let k = 0; k < 3; k++) {
        const x = value("f32");
        const where = random() < 0.3 ? outside : body;
        where.push(
          read(x, k, where === outside ? at(k, [p, 1]) : at(k, [p, length], [j, pick([0, 1, 1, 1, 2])])),
        );
        scope.push(x);
      }
      // Wrapping integer sums do not depend on the order of the lanes; NaN in a maximum would.
      const total = value("i32");
      for (let k = 0; k < size; k++) {
        const y = value("f32");
        const operand = () => (random() < 0.15 ? f(pick([0.5, 2, -1])) : pick(scope));
        const choice = random();
        if (choice < 0.2) body.push(def(y, pick(floatUnary), operand()));
        else if (choice < 0.4) {
          const m = value("bool");
          body.push(def(m, pick(compares), operand(), operand()), def(y, "select", m, operand(), operand()));
        } else body.push(def(y, pick(floatBinary), operand(), operand()));
        scope.push(y);
        if (random() < 0.2) body.push(write(3, at(0, [p, length], [j, 1]), pick(scope)));
      }
      const [whole, next, result] = [value("i32"), value("i32"), value("i32")];
      body.push(write(3, at(0, [p, length], [j, 1]), scope[scope.length - 1]));
      body.push(def(whole, "f32toi32", pick(scope)), def(next, "add", total, whole));
      body.push({ kind: "assign", variable: total, value: next });
      const kernel: Kernel = {
        label: `random ${round}`,
        params: ["f32", "f32", "f32", "f32", "i32"].map((storage) => ({ storage: storage as DType })),
        parallel: p,
        body: [
          ...outside,
          { kind: "declare", variable: total, init: n(0), lanes: true },
          { kind: "for", variable: j, extent: length, vector: true, body },
          { kind: "combine", result, accumulator: total, op: "add" },
          write(4, at(0, [p, 1]), result),
        ],
      };
      const finite = (l: number) => Array.from({ length: l }, () => Math.fround((random() - 0.5) * 8));
      check(
        kernel,
        [
          finite(5 * length + 8),
          finite(5 * length + 8),
          finite(5 * length + 8),
          finite(4 * length),
          [0, 0, 0, 0],
        ].map((values, i) => ({ dtype: i === 4 ? "i32" : "f32", values })),
        4,
      );
    }
  });
});
