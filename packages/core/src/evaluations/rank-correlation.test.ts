import { expect, it } from "vitest";
import { rankCorrelation } from "./rank-correlation.ts";

it("is the correlation of ranks, in which ties have their mean", () => {
  expect(rankCorrelation([1, 2, 3, 10], [0, 5, 6, 7])).toBeCloseTo(1, 12);
  expect(rankCorrelation([1, 2, 3], [9, 8, 7])).toBeCloseTo(-1, 12);
  // 1 − 6 Σd² / (n (n² − 1)), with d = 1, 1, 0, 1, 1.
  expect(rankCorrelation([1, 2, 3, 4, 5], [2, 1, 3, 5, 4])).toBeCloseTo(1 - 24 / 120, 12);
  // Ranks 1, 2.5, 2.5, 4 and 1, 2, 3, 4.
  expect(rankCorrelation([1, 2, 2, 3], [1, 2, 3, 4])).toBeCloseTo(4.5 / Math.sqrt(4.5 * 5), 12);
  expect(rankCorrelation([1, 1], [1, 2])).toBeNaN();
  expect(() => rankCorrelation([1], [1, 2])).toThrow("the lists have 1 and 2 numbers");
});
