import { describe, expect, it } from "vitest";
import { add, leavesLike, scan, type Tree, tensor, treeMap, zeros } from "./index.ts";

const numbers = (tree: Tree) => JSON.parse(JSON.stringify(tree, (_, x) => x?.toArray?.() ?? x));

describe("trees are matched by their names", () => {
  const one = { a: tensor([1]), b: tensor([2]) };
  it("whatever their order", () => {
    expect(numbers(treeMap(add, one, { b: tensor([10]), a: tensor([20]) }))).toEqual({ a: [21], b: [12] });
    expect(numbers(leavesLike(one, { b: one.b, a: one.a }, "test"))).toEqual([[1], [2]]);
  });

  it("what is undefined or null is not there", () => {
    expect(numbers(treeMap(add, { ...one, c: undefined }, { b: one.b, d: null, a: one.a }))).toEqual({
      a: [2],
      b: [4],
    });
  });

  it("another structure is refused by name", () => {
    const refused = (tree: Tree, other: Tree, message: string) =>
      expect(() => treeMap(add, tree, other)).toThrow(message);
    refused(one, { a: one.a }, "at its root is an object {a}, and an object {a, b} was expected");
    refused({ in: one }, { in: { a: one.a, c: one.b } }, "in is an object {a, c}");
    refused({ in: [one.a] }, { in: { 0: one.a } }, "in is an object {0}, and a list of 1 was expected");
    refused([one.a], [one.a, one.b], "at its root is a list of 2, and a list of 1");
    refused({ in: one }, { in: one.a }, "in is a tensor, and an object {a, b}");
    refused({ in: { constructor: one.a } }, { in: {} }, "in is an object {}");
  });

  it("a loop's carry too", () => {
    const run = (next: Tree) => () => scan(() => [next as typeof one, undefined], one, zeros([2]));
    expect(run({ a: one.a })).toThrow("scan: the carry that the body returned is built differently");
    expect(run([one.a, one.b])).toThrow("is a list of 2, and an object {a, b} was expected");
    expect(numbers(run({ b: one.b, a: one.a })().carry)).toEqual({ a: [1], b: [2] });
  });
});
