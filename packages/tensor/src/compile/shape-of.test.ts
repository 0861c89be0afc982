import { expect, it } from "vitest";
import { compile, matmul, random, shapeOf, type Tensor, zeros } from "../index.ts";

it("finds shapes without computing anything", () => {
  expect(shapeOf(() => matmul(zeros([2, 3]), zeros([3, 5])))).toEqual([2, 5]);
  // More elements than fit into memory.
  expect(shapeOf(() => random.normal(random.key(0), [1e6, 1e6]).sum(0))).toEqual([1e6]);
});

it("does not disturb an enclosing trace", () => {
  const f = compile((x: Tensor) => x.add(shapeOf(() => matmul(x, zeros([2, 7])))[1]));
  expect(f(zeros([1, 2])).toArray()).toEqual([[7, 7]]);
});

it("refuses a function that does not return a tensor", () => {
  const wrong = () => 3;
  expect(() => shapeOf(wrong as () => Tensor & number)).toThrow("returns number, not a Tensor");
});
