import { describe, expect, it } from "vitest";
import { estimate, meanInterval } from "./estimate.ts";
import { meanOf } from "./mean.ts";
import { proportionInterval } from "./proportion.ts";
import { studentQuantile } from "./student.ts";

describe("the mean", () => {
  it("of equal values is that value", () => {
    for (const value of [1, 0.1, -0.3, 1 / 49, 1e300])
      for (let n = 1; n <= 200; n++) expect(meanOf(new Array(n).fill(value))).toBe(value);
    expect(estimate(new Float64Array(200).fill(0.1))).toMatchObject({
      mean: 0.1,
      std: 0,
      interval: [0.1, 0.1],
    });
  });
  it("keeps the digits that a plain sum loses", () => {
    expect(meanOf([1e16, 1, -1e16, 1])).toBe(0.5);
  });
  it("is within the smallest and the largest value", () => {
    const values = [0.1, 0.1, 0.1, 0.1 + 2 ** -56];
    expect(meanOf(values)).toBeGreaterThanOrEqual(0.1);
    expect(meanOf(values)).toBeLessThanOrEqual(0.1 + 2 ** -56);
  });
  it("of nothing is NaN, and infinite values count", () => {
    expect(meanOf([])).toBeNaN();
    expect(meanOf([1, Number.NaN])).toBeNaN();
    expect(meanOf([1, Number.NEGATIVE_INFINITY])).toBe(Number.NEGATIVE_INFINITY);
  });
});

describe("Student's t", () => {
  // scipy.stats.t.ppf of SciPy 1.17.1.
  const quantiles: [probability: number, degrees: number, t: number][] = [
    [0.975, 1, 12.706204736174694],
    [0.975, 2, 4.302652729749462],
    [0.975, 3, 3.1824463052837078],
    [0.975, 4, 2.7764451051977934],
    [0.975, 9, 2.262157162798205],
    [0.975, 11, 2.2009851600916384],
    [0.975, 30, 2.0422724563012378],
    [0.975, 99, 1.9842169515864172],
    [0.975, 999, 1.9623414611334495],
    [0.975, 10_000, 1.960201239890626],
    [0.975, 10_000_000, 1.9599642217672046],
    [0.9, 5, 1.475884048824481],
    [0.9995, 1, 636.6192487687897],
    [0.9995, 30, 3.645958635042063],
    [0.6, 4, 0.2707222947075976],
  ];
  it.each(quantiles)("the quantile %d of %d degrees of freedom is SciPy's", (probability, degrees, t) => {
    expect(Math.abs(studentQuantile(probability, degrees) / t - 1)).toBeLessThan(2e-12);
    expect(studentQuantile(1 - probability, degrees)).toBeCloseTo(-t, 9);
  });
  it("is closed where the distribution is", () => {
    expect([0.5, 1, 0].map((p) => studentQuantile(p, 3))).toEqual([0, Infinity, -Infinity]);
    expect(studentQuantile(0.9, 0)).toBeNaN();
  });
});

describe("intervals", () => {
  it("end at the bounds of the samples, unless a sample is beyond them", () => {
    const returns = [500, 500, 500, 480];
    expect(estimate(returns).interval[1]).toBeGreaterThan(500);
    expect(estimate(returns, [0, 500]).interval[1]).toBe(500);
    expect(estimate([...returns, 600], [0, 500]).interval[1]).toBeGreaterThan(500);
  });
  it("of successes and failures are those of a proportion", () => {
    expect(estimate([1, 1, 1, 1], [0, 1]).interval).toEqual(proportionInterval(4, 4));
    expect(estimate([1, 1, 1, 0.5], [0, 1]).interval[1]).toBe(1);
    // Without declared bounds, samples that happen to be 0 or 1 are plain numbers.
    expect(estimate([1, 1, 1, 1]).interval).toEqual([1, 1]);
  });
  it("of one sample are unbounded", () => {
    expect(meanInterval({ mean: 1, std: 0, count: 1 })).toEqual([-Infinity, Infinity]);
  });
  it.each([
    // binomtest(count, trials).proportion_ci(method="wilson") of SciPy 1.17.1.
    [0, 10, 0, 0.27753279986288926],
    [10, 10, 0.7224672001371109, 1],
    [7, 10, 0.39677814746114526, 0.892208732593699],
    [100, 100, 0.9630065017930143, 1],
    [1, 3, 0.06149194472039626, 0.7923403991979523],
  ])("%d successes in %d trials", (count, trials, low, high) => {
    const found = proportionInterval(count, trials);
    expect(found[0]).toBeCloseTo(low, 12);
    expect(found[1]).toBeCloseTo(high, 12);
  });
});
