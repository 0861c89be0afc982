import { describe, expect, it } from "vitest";
import * as s from "../space.ts";
import { check, contains, unbounded } from "./check.ts";
import { show } from "./show.ts";

describe("check", () => {
  it.each<[s.Space, unknown, string]>([
    [s.discrete(2), 2, "action 2 is outside Discrete(2). Actions are 0 or 1."],
    [s.discrete(3), 0.5, "action 0.5 is outside Discrete(3). Actions are 0, 1 or 2."],
    [s.discrete(9, 1), 0, "action 0 is outside Discrete(9, from 1). Actions are whole numbers from 1 to 9."],
    [s.discrete(2), [1], "action, an array of 1, is outside Discrete(2). Actions are 0 or 1."],
    [s.discrete(2), Number.NaN, "action NaN is outside Discrete(2). Actions are 0 or 1."],
    [
      s.multiDiscrete([2, 3]),
      [0, 3],
      "action has 3 at 1; MultiDiscrete(2, 3) needs a whole number from 0 to 2 there.",
    ],
    [s.multiBinary(2), [0], "action has 1 number; MultiBinary(2) needs 2 numbers."],
    [s.box([2]), 1, "action is the number 1; Box([2], -inf to inf) needs 2 numbers of shape [2]."],
    [s.box([2]), undefined, "action is undefined; Box([2], -inf to inf) needs 2 numbers of shape [2]."],
    [
      s.box([2, 1]),
      [[1, 2]],
      "action has shape [1, 2]; Box([2, 1], -inf to inf) needs 2 numbers of shape [2, 1].",
    ],
    [s.box([2]), [0, Number.NaN], "action has NaN at 1; Box([2], -inf to inf) needs finite numbers."],
    [
      s.box([2], -1, [1, 2]),
      [0, 3],
      "action has 3 at 1, outside Box([2], -1 to [1, 2]). It must be from -1 to 2 there.",
    ],
    [s.box([], 0, 1), 3, "action has 3, outside Box([], 0 to 1). It must be from 0 to 1 there."],
    [
      s.image(1, 2, 1),
      [1, 256],
      "action has 256 at 1; Image(1 × 2 × 1) needs a whole number from 0 to 255 there.",
    ],
    [s.simplex(2), [0.5, 0.6], "action sums to 1.1; Simplex(2) needs shares that sum to 1."],
    [
      s.list(s.discrete(2), 1),
      [0, 0],
      "action is an array of 2; List(Discrete(2), up to 1) needs an array of at most 1.",
    ],
    [s.list(s.discrete(2), 3), [0, 5], "action[1]: item 5 is outside Discrete(2). Items are 0 or 1."],
    [s.text(3), "four", "action has 4 characters; Text(up to 3) allows at most 3."],
    [s.text(), 3, "action is the number 3; Text needs a string."],
    [
      s.dict({ speed: s.discrete(2) }),
      { speed: 2 },
      "action.speed 2 is outside Discrete(2). Speeds are 0 or 1.",
    ],
    [
      s.dict({ speed: s.discrete(2) }),
      { sped: 2 },
      'action is a record of sped; Dict(speed: Discrete(2)) needs "speed" too.',
    ],
    [s.tuple(s.discrete(2)), [3], "action[0]: part 3 is outside Discrete(2). Parts are 0 or 1."],
  ])("%j rejects %j", (space, value, words) => {
    expect(check(space, value, "action")).toBe(words);
    expect(contains(space, value)).toBe(false);
  });

  it("rejects graphs with invalid links", () => {
    const space = s.graph({ maxNodes: 2, maxEdges: 2, nodeFeatures: 1, edgeFeatures: 0 });
    expect(check(space, { nodes: [1, 2], links: [0, 1] })).toBeUndefined();
    expect(check(space, { nodes: [1, 2], links: [0, 2] })).toMatch(/links has 2 at 1.*from 0 to 1/);
    expect(check(space, { nodes: [1, 2, 3], links: [] })).toMatch(/3 nodes and 0 edges, which does not fit/);
    expect(check(space, { nodes: [1] })).toMatch(/needs \{ nodes, links \}/);
  });

  it("counts a bound as its f32 number", () => {
    const space = s.box([1], 0.1, 0.1);
    expect(contains(space, [0.1])).toBe(true);
    expect(contains(space, Float32Array.of(0.1))).toBe(true);
    expect(contains(space, [0.1001])).toBe(false);
  });

  it("can ignore bounds, but not NaN", () => {
    expect(check(s.box([1], 0, 1), [2], "x", unbounded)).toBeUndefined();
    expect(check(s.box([1], 0, 1), [Number.NaN], "x", unbounded)).toMatch(/NaN/);
  });
});

it("show prints every space", () => {
  const space = s.dict({
    a: s.box([4]),
    b: s.tuple(s.multiDiscrete([1, 2]), s.list(s.simplex(3), 2, { ordered: false })),
    c: s.content([s.image(8, 8, 3)]),
    d: s.box([8], -1, [1, 2, 3, 4, 5, 6, 7, 8]),
  });
  expect(show(space)).toBe(
    "Dict(a: Box([4], -inf to inf), b: Tuple(MultiDiscrete(1, 2), Set(Simplex(3), up to 2)), " +
      "c: Content(text, Image(8 × 8 × 3)), d: Box([8], -1 to [1, 2, 3, 4, 5, 6, …]))",
  );
});
