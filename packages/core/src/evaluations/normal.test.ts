import { describe, expect, it } from "vitest";
import { normalProbability, normalQuantile } from "./normal.ts";

describe("the normal distribution", () => {
  it("has the values of tables", () => {
    expect(normalProbability(0)).toBe(0.5);
    expect(normalProbability(1)).toBeCloseTo(0.841344746068543, 14);
    expect(normalProbability(-3)).toBeCloseTo(0.00134989803163009, 14);
    expect(normalQuantile(0.975)).toBeCloseTo(1.95996398454005, 12);
    expect(normalQuantile(1)).toBe(Number.POSITIVE_INFINITY);
  });
});
