import { leaves, type Tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import * as s from "../space.ts";
import { columns } from "./layout.ts";
import { read, write } from "./write.ts";

const through = (space: s.Space, value: s.Value): s.Value => {
  const tree = columns(space, 3);
  write(space, tree, 1, value);
  return read(space, tree, 1);
};

describe("write and read", () => {
  it.each<[string, s.Space, s.Value, s.Value]>([
    ["discrete", s.discrete(3, 4), 6, 6],
    ["multiDiscrete", s.multiDiscrete([2, 3]), [1, 2], Int32Array.of(1, 2)],
    ["multiBinary", s.multiBinary(2), [0, 1], Int32Array.of(0, 1)],
    ["box", s.box([2]), [0.5, -2], Float32Array.of(0.5, -2)],
    ["box without axes", s.box([]), 0.5, 0.5],
    [
      "nested box",
      s.box([2, 2]),
      [
        [1, 2],
        [3, 4],
      ],
      Float32Array.of(1, 2, 3, 4),
    ],
    ["image", s.image(1, 2, 1), Uint8Array.of(255, 3), Uint8Array.of(255, 3)],
    ["nested image", s.image(1, 2, 1), [[[255], [3]]], Uint8Array.of(255, 3)],
    ["simplex", s.simplex(2), [0.25, 0.75], Float32Array.of(0.25, 0.75)],
    ["text", s.text(5), "añ語", "añ語"],
    ["list of texts", s.list(s.text(3), 2), ["ab", ""], ["ab", ""]],
    ["list", s.list(s.discrete(4), 3), [3, 1], [3, 1]],
    [
      "list of lists",
      s.list(s.list(s.box([1]), 2), 2),
      [[[1]], [[2], [3]]],
      [[Float32Array.of(1)], [Float32Array.of(2), Float32Array.of(3)]],
    ],
    ["dict", s.dict({ a: s.discrete(2), b: s.box([1]) }), { a: 1, b: [2] }, { a: 1, b: Float32Array.of(2) }],
    ["tuple", s.tuple(s.discrete(2), s.box([1])), [1, [2]], [1, Float32Array.of(2)]],
  ])("%s", (_, space, value, back) => {
    expect(through(space, value)).toEqual(back);
  });

  it("copies big arrays as a whole, regardless of their type", () => {
    const bytes = Uint8Array.from({ length: 300 }, (_, i) => i % 256);
    expect(through(s.image(10, 10, 3), bytes)).toEqual(bytes);
    expect(through(s.box([300]), bytes)).toEqual(Float32Array.from(bytes));
  });

  it("keeps graphs, flat or in rows, without their padding", () => {
    const space = s.graph({ maxNodes: 3, maxEdges: 2, nodeFeatures: 2, edgeFeatures: 1 });
    const back = {
      nodes: Float32Array.of(1, 2, 3, 4),
      edges: Float32Array.of(5),
      links: Int32Array.of(0, 1),
      nodeCount: 2,
      edgeCount: 1,
    };
    expect(
      through(space, {
        nodes: [
          [1, 2],
          [3, 4],
        ],
        edges: [[5]],
        links: [[0, 1]],
      }),
    ).toEqual(back);
    expect(through(space, back)).toEqual(back);
  });

  it("touches no other row, and clears padding", () => {
    const space = s.list(s.dict({ a: s.box([2]), b: s.list(s.discrete(9), 2), c: s.text(3) }), 2);
    const tree = columns(space, 3);
    const long = [
      { a: [1, 2], b: [3, 4], c: "x" },
      { a: [5, 6], b: [7, 8], c: "語語" },
    ];
    for (const row of [0, 1, 2]) write(space, tree, row, long);
    write(space, tree, 1, []);
    expect(read(space, tree, 0)).toEqual(read(space, tree, 2));
    expect((read(space, tree, 0) as unknown[]).length).toBe(2);
    for (const t of leaves(tree)) {
      const size = t.size / 3;
      expect([...t.data.slice(size, 2 * size)]).toEqual(Array(size).fill(0));
    }
  });

  it("returns a new value", () => {
    const tree = columns(s.box([2]), 1) as Tensor;
    const value = read(s.box([2]), tree, 0);
    tree.set([1, 2]);
    expect(value).toEqual(Float32Array.of(0, 0));
  });

  it("rejects values that do not fit, but not numbers beyond a bound", () => {
    expect(() => through(s.box([2]), [1])).toThrow(
      "write: value has 1 number; Box([2], -inf to inf) needs 2",
    );
    expect(() => through(s.discrete(2), 2)).toThrow("value 2 is outside Discrete(2). Values are 0 or 1.");
    expect(through(s.box([1], -1, 1), [3])).toEqual(Float32Array.of(3));
  });
});
