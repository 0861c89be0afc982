import { compile, expandDims, type Tensor, type Tree, treeMap } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import * as s from "../space.ts";
import { flatSize, flatten } from "./flatten.ts";
import { columns } from "./layout.ts";
import { write } from "./write.ts";

const all = s.dict({
  mode: s.discrete(3, 5),
  gears: s.multiDiscrete([2, 3]),
  bits: s.multiBinary(2),
  position: s.box([2, 1]),
  view: s.image(1, 2, 1),
  mix: s.simplex(2),
  things: s.list(s.discrete(2), 3),
  net: s.graph({ maxNodes: 2, maxEdges: 1, nodeFeatures: 1, edgeFeatures: 1 }),
});
const value = {
  mode: 6,
  gears: [1, 2],
  bits: [0, 1],
  position: [0.5, -4],
  view: [255, 51],
  mix: [0.25, 0.75],
  things: [1, 0],
  net: { nodes: [8], edges: [9], links: [0, 0] },
};
const row = [
  ...[0, 1, 0],
  ...[0, 1, 0, 0, 1],
  ...[0, 1],
  ...[0.5, -4],
  ...[1, 0.2],
  ...[0.25, 0.75],
  ...[0, 1, 1, 0, 0, 0, 2 / 3],
  ...[8, 0, 9, 1, 0, 1, 0, 0.5, 1],
].map(Math.fround);

const filled = (): Tree => {
  const tree = columns(all, 2);
  write(all, tree, 1, value);
  return tree;
};

describe("flatten", () => {
  it("gives every part its features", () => {
    const x = flatten(all, withMode(filled()));
    expect(x.shape).toEqual([2, flatSize(all)]);
    expect(x.dtype).toBe("f32");
    expect([...x.data.slice(flatSize(all))]).toEqual(row);
  });

  it("is the same inside compile", () => {
    const tree = withMode(filled());
    const compiled = compile((t: Tree) => flatten(all, t));
    expect([...compiled(tree).data]).toEqual([...flatten(all, tree).data]);
  });

  it("takes any number of leading axes", () => {
    const tree = withMode(filled());
    const timed = treeMap((t) => expandDims(expandDims(t, 0), 0), tree);
    const x = flatten(all, timed, { leading: 3 });
    expect(x.shape).toEqual([1, 1, 2, flatSize(all)]);
    expect([...x.data]).toEqual([...flatten(all, tree).data]);
  });

  it("zeros stale items beyond the count", () => {
    const space = s.list(s.box([1]), 2);
    const tree = columns(space, 1) as { items: Tensor; count: Tensor };
    tree.items.set([7, Number.NaN]);
    tree.count.set(1);
    expect(flatten(space, tree).toArray()).toEqual([[7, 0, 0.5]]);
  });

  it("encodes characters as bytes between 0 and 1, and the length", () => {
    const space = s.text(3);
    const tree = columns(space, 1);
    write(space, tree, 0, "3\u3300");
    expect(flatSize(space)).toBe(7);
    expect(flatten(space, tree).toArray()).toEqual([
      [51, 0, 0, 51, 0, 0].map((b) => Math.fround(b / 255)).concat(Math.fround(2 / 3)),
    ]);
  });

  it("rejects axes that do not fit", () => {
    expect(() => flatten(s.box([4]), columns(s.box([3]), 2))).toThrow(
      /4 numbers after 1 leading axis.*\[2,3\]/,
    );
    expect(() => flatten(s.dict({ a: s.box([1]) }), { b: columns(s.box([1]), 2) })).toThrow(/no part "a"/);
    expect(() => flatten(s.text(), undefined)).toThrow(/has no columns/);
  });
});

/** Zero is not a mode here, as modes begin at 5; only row 1 was written. */
function withMode(tree: Tree): Tree {
  (tree as { mode: Tensor }).mode.data[0] = 5;
  return tree;
}
