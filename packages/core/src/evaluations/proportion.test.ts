import { describe, expect, it } from "vitest";
import { defaultRng } from "../numpy/index.ts";
import { leastProbability } from "./proportion.ts";

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
