import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import { bernstein, moments } from "./optimism.ts";

it("moments are those of the counted numbers", () => {
  // 1, 1, 4, 4, 4, 4
  expect(moments([2, 0, 4], [1, 7, 4])).toEqual({ n: 6, mean: 3, variance: 2 });
});

it("a mean plus its bonus is hardly ever below the true mean", () => {
  const bonus = bernstein({ scale: 2, log: Math.log(100) });
  const random = defaultRng(1);
  let below = 0;
  for (let trial = 0; trial < 2000; trial++) {
    const hits = Array.from({ length: 30 }, () => random.random() < 0.3).filter(Boolean).length;
    const { n, mean, variance } = moments([30 - hits, hits], [0, 1]);
    if (mean + bonus(variance, 1, n) < 0.3) below++;
  }
  expect(below).toBeLessThan(20);
});

it("shrinks with the count and never exceeds the range", () => {
  const bonus = bernstein({ scale: 1, log: 3 });
  expect(bonus(0.25, 1, 1)).toBe(1);
  expect(bonus(0.25, 1, 100)).toBeCloseTo(Math.sqrt(0.0075) + 0.03, 12);
});
