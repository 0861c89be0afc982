import { expect, it } from "vitest";
import { fitGaussianProcess, GaussianProcess } from "./gaussian-process.ts";

it("is certain at known points, and uncertain far away", () => {
  const points = [[0.1], [0.4], [0.8]];
  const process = new GaussianProcess(points, [1, 3, 2], 0.3, 1e-6);
  for (const [i, value] of [1, 3, 2].entries()) expect(process.at(points[i]).mean).toBeCloseTo(value, 3);
  expect(process.at([0.4]).deviation).toBeLessThan(0.01);
  expect(process.at([40]).mean).toBeCloseTo(2, 6);
  expect(process.at([40]).deviation).toBeCloseTo(Math.sqrt(2 / 3), 6);
});

it("chooses the length scale by likelihood: a straight line continues", () => {
  const points = [0, 0.2, 0.4, 0.6].map((x) => [x]);
  const process = fitGaussianProcess(points, [0, 0.2, 0.4, 0.6]);
  expect(process.at([0.5]).mean).toBeCloseTo(0.5, 1);
  expect(process.at([0.7]).mean).toBeGreaterThan(0.6);
});
