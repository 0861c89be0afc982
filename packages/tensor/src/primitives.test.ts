import { describe, expect, it } from "vitest";
import { apply } from "./apply.ts";
import { ones } from "./create.ts";
import { Graph, type Node } from "./graph.ts";
import { elementwise } from "./math/elementwise.ts";
import { rules } from "./transform/rules.ts";

describe("the table of primitives", () => {
  it("does not compile if a table over it has a missing entry", () => {
    const { add: _rule, ...gradients } = rules;
    // @ts-expect-error The gradient of add is missing.
    const incomplete: typeof rules = gradients;
    const { add: _formula, ...formulas } = elementwise;
    // @ts-expect-error The formula of add is missing.
    const wanting: typeof elementwise = formulas;
    expect([incomplete.add, wanting.add]).toEqual([undefined, undefined]);
  });

  it("does not compile with attributes of another operation", () => {
    const x = ones([2, 3]);
    // @ts-expect-error A sum has axes.
    expect(() => apply("sum", [x], { axis: 0 }, [3], "f32")).toThrow();
    // @ts-expect-error Unknown operation.
    expect(() => apply("total", [x], {}, [], "f32")).toThrow();
    expect(apply("sum", [x], { axes: [0] }, [3], "f32").toArray()).toEqual([2, 2, 2]);
  });

  it("gives a node's attributes with its operation", () => {
    const graph = new Graph();
    const node: Node = graph.add("permute", [graph.input([2, 3], "f32")], { axes: [1, 0] }, [3, 2], "f32");
    expect(node.op === "permute" && node.attributes.axes).toEqual([1, 0]);
  });
});
