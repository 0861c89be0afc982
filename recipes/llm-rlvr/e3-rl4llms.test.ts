import { expect, it } from "vitest";
import { byRank, heated } from "./e3-rl4llms.parts.ts";

it("distributes what exceeds the minimum by rank, and the remainder to the hardest", () => {
  // 24 − 3 · 4 = 12 in proportion to 0, 1/4 and 3/4.
  expect(byRank([0, 0.25, 0.75], 24, 4, 12)).toEqual([4, 7, 13]);
  // 24 − 18 = 6 in proportion to 1/3, 1/2 and 2/3: 1.33, 2 and 2.67; one is left for the last.
  expect(byRank([1 / 3, 1 / 2, 2 / 3], 24, 6, 12)).toEqual([7, 8, 9]);
  expect(byRank([1, 1, 1], 24, 8, 8)).toEqual([8, 8, 8]);
});

it("heats below the target entropy and cools above it", () => {
  expect(heated(1, 0.5, 0.5)).toBe(1);
  expect(heated(1, 0.25, 0.5)).toBeGreaterThan(1.1);
  expect(heated(1, 1, 0.5)).toBeCloseTo(2 - heated(1, 0.25, 0.5), 12);
});
