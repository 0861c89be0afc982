import { describe, expect, it } from "vitest";
import { defaultRng } from "../numpy/index.ts";
import { normalProbability, normalQuantile } from "./normal.ts";
import { leastProbability } from "./proportion.ts";
import { certifiedReturn } from "./smoothing-certificate.ts";

describe("the normal distribution", () => {
  it("has the values of tables", () => {
    expect(normalProbability(0)).toBe(0.5);
    expect(normalProbability(1)).toBeCloseTo(0.841344746068543, 14);
    expect(normalProbability(-3)).toBeCloseTo(0.00134989803163009, 14);
    expect(normalQuantile(0.975)).toBeCloseTo(1.95996398454005, 12);
    expect(normalQuantile(1)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("a bound of a probability", () => {
  it("is Clopper's and Pearson's", () => {
    // All of n: p^n = α.
    expect(leastProbability(1000, 1000, 0.99)).toBeCloseTo(0.01 ** (1 / 1000), 12);
    // One of n: 1 - (1 - p)^n = α.
    expect(leastProbability(1, 50, 0.95)).toBeCloseTo(1 - 0.95 ** (1 / 50), 12);
    // One side of the 95% interval of 8 in 10.
    expect(leastProbability(8, 10, 0.975)).toBeCloseTo(0.4439, 4);
    expect(leastProbability(0, 10, 0.95)).toBe(0);
  });

  it("is below the truth as often as its confidence", () => {
    const random = defaultRng(5);
    let above = 0;
    for (let i = 0; i < 400; i++) {
      let count = 0;
      for (let k = 0; k < 60; k++) if (random.random() < 0.8) count++;
      if (leastProbability(count, 60, 0.9) > 0.8) above++;
    }
    expect(above / 400).toBeLessThan(0.13);
  });
});

describe("the certificate", () => {
  const [noise, budget] = [0.5, 0.4];

  it("is what the worst adversary leaves of a linear rule, and no more", () => {
    // Four steps; the return is 1 if the sum of the observations is below 1. The worst that a budget can do is to push all
    // observations the same way: the sum rises by budget · √4, and its deviation is noise · √4.
    const random = defaultRng(1);
    const episodes = 40_000;
    const play = (push: number) =>
      Float64Array.from({ length: episodes }, () => {
        let sum = 0;
        for (let t = 0; t < 4; t++) sum += push + noise * random.standardNormal();
        return sum < 1 ? 1 : 0;
      });
    const bound = certifiedReturn(play(0), { noise, budget, levels: [1] });
    const attacked = normalProbability((1 - budget * 2) / (noise * 2));
    expect(bound).toBeLessThan(attacked);
    expect(bound).toBeGreaterThan(attacked - 0.02);
    const measured = play(budget / 2).reduce((a, b) => a + b, 0) / episodes;
    expect(measured).toBeGreaterThan(bound);
  });

  it("sums levels, falls with the budget and is 0 without successes", () => {
    const returns = Float64Array.from({ length: 500 }, (_, i) => (i % 2 ? 10 : 4));
    const of = (b: number, levels = [4, 10]) => certifiedReturn(returns, { noise, budget: b, levels });
    expect(of(0)).toBeLessThan(7);
    expect(of(0)).toBeGreaterThan(6.4);
    expect(of(0.2)).toBeLessThan(of(0));
    expect(of(0.2, [11])).toBe(0);
    expect(() => of(0, [4, 4])).toThrow("levels must ascend");
  });
});
