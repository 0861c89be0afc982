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
