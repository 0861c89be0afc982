import { tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { copyRow, copyTree, requireTree, treeFault } from "./copy.ts";

const make = (x: number) => ({
  a: tensor([
    [x, x],
    [x + 1, x + 1],
  ]),
  b: [tensor([x, x])],
  c: undefined,
});

it("copyTree copies by name and position", () => {
  const [into, from] = [make(0), make(5)];
  copyTree(into, { c: undefined, b: from.b, a: from.a });
  expect(into.a.toArray()).toEqual([
    [5, 5],
    [6, 6],
  ]);
  expect(into.b[0].toArray()).toEqual([5, 5]);
});

it("copyRow leaves the other rows", () => {
  const into = make(0);
  copyRow(into, make(5), 1);
  expect(into.a.toArray()).toEqual([
    [0, 0],
    [6, 6],
  ]);
  expect(into.b[0].toArray()).toEqual([0, 5]);
});

it("treeFault says what differs", () => {
  const like = make(0);
  expect(treeFault(like, make(1), "x")).toBeUndefined();
  expect(treeFault(like, { ...make(1), b: [tensor([1])] }, "x")).toBe(
    "x.b.0 is a tensor f32[1], but must be f32[2].",
  );
  expect(treeFault(like, { a: like.a }, "x")).toBe("x.b is undefined, but must have the parts 0.");
  expect(treeFault(like, like.a, "x")).toBe("x is a tensor f32[2, 2], but must have the parts a, b, c.");
  expect(treeFault(like.a, undefined, "x")).toBe("x is undefined, but must be a tensor f32[2, 2].");
  expect(() => requireTree("Env-v0", like.a, 3, "action")).toThrow("Env-v0: action is number, but must be");
});
