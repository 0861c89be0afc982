import { expect, it } from "vitest";
import { compile, grad, slice, sum, sumOver, type Tensor, tensor, zeros } from "../index.ts";

const matrix = (rows: number, columns: number) =>
  tensor(
    Float32Array.from({ length: rows * columns }, (_, i) => ((i * 37) % 11) - 5),
    { shape: [rows, columns] },
  );

const sums = (x: Tensor) =>
  sumOver((row: Tensor) => ({ total: sum(row), squares: row.mul(row), count: zeros([], "i32").add(1) }), x);

it.each([1, 2, 5])("adds the results of %i elements, eagerly and compiled", (rows) => {
  const x = matrix(rows, 3);
  const lines = Array.from({ length: rows }, (_, r) => [...x.data.slice(3 * r, 3 * r + 3)]);
  for (const f of [sums, compile(sums)]) {
    const { total, squares, count } = f(x);
    expect(total.item()).toBe(lines.flat().reduce((a, b) => a + b));
    expect([...squares.data]).toEqual([0, 1, 2].map((c) => lines.reduce((a, line) => a + line[c] ** 2, 0)));
    expect(count.item()).toBe(rows);
  }
});

it("is differentiable, also with respect to captured tensors", () => {
  const x = matrix(4, 2);
  const d = grad((w: Tensor) => sumOver((row: Tensor) => sum(w.mul(w).mul(row)), x));
  const columns = [0, 1].map((c) => [0, 1, 2, 3].reduce((a, r) => a + x.data[2 * r + c], 0));
  for (const f of [d, compile(d)])
    expect([...f(tensor([1, 3])).data]).toEqual([2 * columns[0], 6 * columns[1]]);
});

it("needs a first axis with elements, of one length", () => {
  expect(() => sumOver(sum, slice(matrix(2, 2), [[0, 0]]))).toThrow("at least one element");
  expect(() => sumOver(({ a }: { a: Tensor }) => a, { a: matrix(2, 2), b: matrix(3, 2) })).toThrow(
    "do not have 2 elements",
  );
});
