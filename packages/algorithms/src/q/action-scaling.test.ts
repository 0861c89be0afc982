import { box } from "@reins/core";
import { tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { scaled } from "./action-scaling.ts";

it("scales actions to their bounds and back, also those with a single value", () => {
  const spec = { id: "Fixed-v0", observation: box([1]), action: box([3], [-2, 3, 0], [2, 3, 1]) };
  const { inner, execute } = scaled("sac", spec);
  expect(execute(tensor([[-1, 0.5, 1]])).toArray()).toEqual([[-2, 3, 1]]);
  expect(inner(tensor([[-2, 3, 1]])).toArray()).toEqual([[-1, 0, 1]]);
});

it.each([
  [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  [
    [-1, 0],
    [1, Number.POSITIVE_INFINITY],
  ],
  [[-1, Number.NEGATIVE_INFINITY], 1],
])("refuses actions without two finite bounds, from %j to %j", (low, high) => {
  const spec = { id: "Open-v0", observation: box([1]), action: box([2], low, high) };
  expect(() => scaled("sac", spec)).toThrow(
    /number [01] of the actions of Open-v0 is between .* sac needs two finite bounds/,
  );
});
