import { expect, test } from "vitest";
import { summary } from "./stats.ts";

test("median and quartiles are interpolated", () => {
  expect(summary([3, 1, 2, 5, 4])).toEqual({ median: 3, low: 2, high: 4 });
  expect(summary([1, 2])).toEqual({ median: 1.5, low: 1.25, high: 1.75 });
  expect(summary([7])).toEqual({ median: 7, low: 7, high: 7 });
});
