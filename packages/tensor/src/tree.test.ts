import { describe, expect, it } from "vitest";
import { add, matchLeaves, scan, type Tree, tensor, treeMap, zeros } from "./index.ts";

const numbers = (tree: Tree) => JSON.parse(JSON.stringify(tree, (_, x) => x?.toArray?.() ?? x));

describe("trees are matched by name", () => {
  const one = { a: tensor([1]), b: tensor([2]) };
  it("in any order", () => {
    expect(numbers(treeMap(add, one, { b: tensor([10]), a: tensor([20]) }))).toEqual({ a: [21], b: [12] });
    expect(numbers(matchLeaves(one, { b: one.b, a: one.a }, "test"))).toEqual([[1], [2]]);
  });

  it("ignoring undefined and null entries", () => {
    expect(numbers(treeMap(add, { ...one, c: undefined }, { b: one.b, d: null, a: one.a }))).toEqual({
      a: [2],
      b: [4],
    });
  });

  it("another structure is refused by name", () => {
    const refused = (tree: Tree, other: Tree, message: string) =>
      expect(() => treeMap(add, tree, other)).toThrow(message);
    refused(one, { a: one.a }, "at its root is an object {a}, expected an object {a, b}");
    refused({ in: one }, { in: { a: one.a, c: one.b } }, "in is an object {a, c}");
    refused({ in: [one.a] }, { in: { 0: one.a } }, "in is an object {0}, expected a list of 1");
    refused([one.a], [one.a, one.b], "at its root is a list of 2, expected a list of 1");
    refused({ in: one }, { in: one.a }, "in is a tensor, expected an object {a, b}");
    refused({ in: { constructor: one.a } }, { in: {} }, "in is an object {}");
  });

  it("a loop's carry too", () => {
    const run = (next: Tree) => () => scan(() => [next as typeof one, undefined], one, zeros([2]));
    expect(run({ a: one.a })).toThrow("scan: the carry that the body returned has another structure");
    expect(run([one.a, one.b])).toThrow("is a list of 2, expected an object {a, b}");
    expect(numbers(run({ b: one.b, a: one.a })().carry)).toEqual({ a: [1], b: [2] });
  });
});
