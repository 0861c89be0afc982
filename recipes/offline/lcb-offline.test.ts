import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import { logData, lowerBounds, suboptimality } from "./lcb-offline.parts.ts";

it("subtracts a penalty that shrinks with the square root of the count", () => {
  const counts = { pulls: Float64Array.of(4, 100, 0), sums: Float64Array.of(4, 80, 0) };
  // 1 − ½ √(1/4) = 0.75, and 0.8 − ½ √(1/100) = 0.75.
  expect([...lowerBounds(counts, 0.5, 1)]).toEqual([0.75, 0.75, Number.NEGATIVE_INFINITY]);
  expect([...lowerBounds(counts, 1, 1)].slice(0, 2)).toEqual([0.5, 0.7000000000000001]);
});

it("logs the expert's arm, a habitual arm and random arms in their shares", () => {
  const bandit = [Float64Array.of(0.1, 1, 0.5, 0), Float64Array.of(1, 0, 0, 0)];
  const data = logData(bandit, 4000, { expert: 0.5, habit: 0.3 }, defaultRng(1));
  expect(data.reduce((sum, d) => sum + d.pulls.reduce((a, b) => a + b), 0)).toBe(4000);
  for (const [x, best] of [1, 0].entries()) {
    const shares = [...data[x].pulls].map((n) => n / data[x].pulls.reduce((a, b) => a + b));
    expect(shares[best]).toBeGreaterThan(0.5);
    expect(shares.filter((s) => s > 0.03).length).toBe(4);
    expect(data[x].sums[best]).toBe(data[x].pulls[best]);
  }
});

it("measures the loss exactly", () => {
  const bandit = [Float64Array.of(0.25, 0.75), Float64Array.of(1, 0.5)];
  expect(suboptimality(bandit, [1, 0])).toBe(0);
  expect(suboptimality(bandit, [0, 1])).toBe(0.5);
});
