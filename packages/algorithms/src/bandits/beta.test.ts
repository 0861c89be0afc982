import { estimate } from "@reins/core/evaluations";
import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import { drawBeta, drawGamma } from "./beta.ts";

it.each([0.3, 1, 4.5, 200])("gamma samples of shape %f have its mean and variance", (shape) => {
  const random = defaultRng(5);
  const { mean, std } = estimate(Float64Array.from({ length: 20_000 }, () => drawGamma(shape, random)));
  expect(Math.abs(mean / shape - 1)).toBeLessThan(4 / Math.sqrt(20_000 * shape));
  expect(std ** 2 / shape).toBeCloseTo(1, 0.8);
});

it.each([
  [1, 1],
  [0.5, 2],
  [40, 3],
])("beta samples (%f, %f) have their mean and variance", (a, b) => {
  const random = defaultRng(6);
  const { mean, std } = estimate(Float64Array.from({ length: 20_000 }, () => drawBeta(a, b, random)));
  const [m, variance] = [a / (a + b), (a * b) / ((a + b) ** 2 * (a + b + 1))];
  expect(Math.abs(mean - m)).toBeLessThan(4 * Math.sqrt(variance / 20_000));
  expect(std ** 2 / variance).toBeCloseTo(1, 0.8);
});
