import { describe, expect, it } from "vitest";
import type { TypedArray } from "../../dtype.ts";
import type { Index, Kernel, Stmt, Value } from "../../kernel/kernel.ts";
import { interpret } from "./interpret.ts";
import { jam } from "./jam.ts";

const value = (id: number, type: Value["type"]): Value => ({ id, type });
const at = (constant: number, ...terms: [Value, number][]): Index => ({
  constant,
  terms: terms.map(([variable, coefficient]) => ({ variable, coefficient })),
});

/** Sums and largest elements of the columns of p blocks of `rows` × 8, in scratch and then stored; `change` alters the inner body. */
function columns(rows: number, change: (body: Stmt[], row: Value) => Stmt[] = (body) => body): Kernel {
  const [p, r, j, x, y, xy, sum, total] = [0, 1, 2, 3, 4, 5, 6, 7].map((id) =>
    value(id, id < 3 ? "i32" : "f32"),
  );
  const [top, larger, k, out] = [8, 9, 10, 11].map((id) => value(id, id === 10 ? "i32" : "f32"));
  const here = at(1, [p, 8 * rows], [r, 8], [j, 1]);
  const body: Stmt[] = [
    { kind: "load", result: x, param: 0, index: here },
    { kind: "load", result: y, param: 1, index: at(3, [j, 1]) },
    { kind: "let", result: xy, op: "mul", args: [x, y] },
    { kind: "load", result: sum, param: 2, index: at(0, [j, 1]) },
    { kind: "let", result: total, op: "add", args: [sum, xy] },
    { kind: "store", param: 2, index: at(0, [j, 1]), value: total },
    { kind: "load", result: top, param: 3, index: at(2, [j, 1]) },
    { kind: "let", result: larger, op: "max", args: [top, total] },
    { kind: "store", param: 3, index: at(2, [j, 1]), value: larger },
  ];
  const inner: Stmt = { kind: "for", variable: j, extent: 8, vector: true, body: change(body, r) };
  return {
    label: "columns",
    params: [
      { storage: "f32" },
      { storage: "f32" },
      { storage: "f32", scratch: true },
      { storage: "f32", scratch: true },
      { storage: "f32" },
    ],
    parallel: p,
    body: [
      { kind: "for", variable: r, extent: rows, vector: false, body: [inner] },
      {
        kind: "for",
        variable: k,
        extent: 8,
        vector: true,
        body: [
          { kind: "load", result: out, param: 3, index: at(2, [k, 1]) },
          { kind: "store", param: 4, index: at(0, [p, 8], [k, 1]), value: out },
        ],
      },
    ],
  };
}

const run = (kernel: Kernel, rows: number): TypedArray[] => {
  const params = [2 * 8 * rows + 1, 11, 8, 10, 8 * rows].map((length, i) =>
    Float32Array.from({ length }, (_, j) => (i > 1 ? 0 : Math.sin(j * (i + 1)))),
  );
  interpret(kernel, params, 0, 2);
  return params;
};
const loops = (kernel: Kernel) => kernel.body.filter((s) => s.kind === "for").length;

describe("jam", () => {
  it("adds rows in groups, in the same order, and the rest one by one", () => {
    for (const rows of [8, 9, 11, 16]) {
      const kernel = columns(rows);
      const made = jam(kernel);
      expect(loops(made)).toBe(rows % 4 === 0 ? 2 : 3);
      expect(run(made, rows)).toEqual(run(kernel, rows));
    }
  });

  it("stores results on the way", () => {
    const kernel = columns(9, (body, row) => [
      ...body.slice(0, 3),
      { kind: "store", param: 4, index: at(0, [row, 8], [value(2, "i32"), 1]), value: value(5, "f32") },
      ...body.slice(3),
    ]);
    const made = jam(kernel);
    expect(made).not.toBe(kernel);
    expect(run(made, 9)).toEqual(run(kernel, 9));
  });

  it("leaves other loops alone", () => {
    const few = columns(7);
    expect(jam(few)).toBe(few);
    // Rows that write the same elements, a sum that is read elsewhere or before it is changed, a use of the row's number, sums
    // that are stored to another place.
    const changes: ((body: Stmt[], row: Value) => Stmt[])[] = [
      (body, row) => [
        ...body,
        { kind: "store", param: 4, index: at(0, [row, 4], [value(2, "i32"), 1]), value: value(7, "f32") },
      ],
      (body) => [...body, { kind: "load", result: value(20, "f32"), param: 2, index: at(1) }],
      (body) => [...body.slice(5), ...body.slice(0, 5)],
      (body, row) => [...body, { kind: "let", result: value(20, "f32"), op: "i32tof32", args: [row] }],
      (body) => body.map((s) => (s.kind === "store" ? { ...s, index: at(5) } : s)),
    ];
    for (const change of changes) {
      const kernel = columns(16, change);
      expect(jam(kernel)).toBe(kernel);
    }
  });
});
