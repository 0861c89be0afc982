import { expect, it } from "vitest";
import { box, dict, discrete, image } from "../space.ts";
import { fittingLabels, labelFault } from "./labels.ts";

it("labels fit if there is one for each component", () => {
  expect(labelFault(discrete(2), ["left", "right"])).toBeUndefined();
  expect(labelFault(box([2, 2]), ["a", "b", "c", "d"])).toBeUndefined();
  const goals = dict({ observation: box([1]), desired: box([2]) });
  expect(labelFault(goals, { observation: ["speed"], desired: ["x", "y"] })).toBeUndefined();
  expect(labelFault(goals, { desired: ["x", "y"] })).toBeUndefined();
});

it("other labels are rejected with a reason", () => {
  expect(labelFault(box([3]), ["x", "y"])).toBe("has 2 labels, but the space has 3 components");
  expect(labelFault(image(4, 4, 1), ["x"])).toBe("is not possible for a space of kind image");
  expect(labelFault(dict({ a: box([1]) }), { b: ["x"] })).toBe("has b, which is not a part of the space");
  expect(labelFault(dict({ a: box([1]) }), { a: ["x", "y"] })).toBe(
    "a has 2 labels, but the space has 1 components",
  );
  expect(labelFault(dict({ a: box([1]) }), ["x"])).toContain("use one list per part");
});

it("labels of a space that a wrapper has changed are dropped", () => {
  expect(fittingLabels(box([8]), ["x", "y"])).toBeUndefined();
  expect(fittingLabels(box([2]), ["x", "y"])).toEqual(["x", "y"]);
  expect(fittingLabels(box([2]), undefined)).toBeUndefined();
});
