import { compile, leaves, type Tensor, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import * as s from "../space.ts";
import { columns, layoutOf } from "./layout.ts";

const room = s.dict({
  mode: s.discrete(3),
  position: s.box([2], -1, 1),
  view: s.image(2, 3, 1),
  things: s.list(s.tuple(s.discrete(4), s.box([2])), 5),
});

describe("columns", () => {
  it("has one tensor for each number array of the space, rows first", () => {
    const tree = columns(room, 7) as { [name: string]: Tensor };
    expect(leaves(tree).map((t) => `${t.dtype}[${t.shape}]`)).toEqual([
      "i32[7]",
      "f32[7,2]",
      "u8[7,2,3,1]",
      "i32[7,5]",
      "f32[7,5,2]",
      "i32[7]",
    ]);
  });

  it("holds every kind of the table", () => {
    const kinds = s.tuple(
      s.multiDiscrete([2, 3]),
      s.multiBinary(4),
      s.simplex(3),
      s.box([]),
      s.graph({ maxNodes: 3, maxEdges: 4, nodeFeatures: 2, edgeFeatures: 1 }),
    );
    expect(leaves(columns(kinds, 2)).map((t) => `${t.dtype}[${t.shape}]`)).toEqual([
      "i32[2,2]",
      "i32[2,4]",
      "f32[2,3]",
      "f32[2]",
      "f32[2,3,2]",
      "f32[2,4,1]",
      "i32[2,4,2]",
      "i32[2]",
      "i32[2]",
    ]);
  });

  it("is concrete while a function is traced", () => {
    const f = compile((x: Tensor) => {
      expect((columns(s.discrete(2), 3) as Tensor).data.length).toBe(3);
      return x;
    });
    f(tensor([1]));
  });

  it("rejects text, with its path", () => {
    expect(() => columns(s.text(), 1)).toThrow(/text, which has no columns.*tokens/);
    expect(() => columns(s.dict({ prompt: s.tuple(s.content()) }), 1)).toThrow(/prompt\.0 is content/);
  });
});

it("layoutOf names types and shapes without rows", () => {
  expect(layoutOf(s.list(s.box([2]), 3))).toEqual({
    items: { dtype: "f32", shape: [3, 2] },
    count: { dtype: "i32", shape: [] },
  });
});
