import { expect, it } from "vitest";
import { defaultRng } from "../numpy/index.ts";
import { fitGaussianMixture, sampleComponent } from "./gaussian-mixture.ts";

const random = defaultRng(1);
const points = Array.from({ length: 400 }, (_, n) =>
  n % 4 === 0
    ? [random.normal(3, 0.2), random.normal(0, 0.5)]
    : [random.normal(0, 0.3), random.normal(2, 0.1)],
);

it("finds the two clouds that points come from, and needs no third", () => {
  const { parts, criterion } = fitGaussianMixture(points, 2, defaultRng(2), 40);
  const [small, large] = [...parts].sort((a, b) => a.weight - b.weight);
  expect(small.weight).toBeCloseTo(0.25, 1);
  expect(small.mean[0]).toBeCloseTo(3, 0);
  expect(large.mean[1]).toBeCloseTo(2, 1);
  expect(Math.sqrt(large.covariance[1][1])).toBeCloseTo(0.1, 1);
  expect(criterion).toBeLessThan(fitGaussianMixture(points, 1, defaultRng(2), 40).criterion);
});

it("samples from a component, in some of its dimensions", () => {
  const [part] = fitGaussianMixture(points, 1, defaultRng(2)).parts;
  const drawn = Array.from({ length: 2000 }, () => sampleComponent(part, 1, random));
  expect(drawn[0]).toHaveLength(1);
  expect(drawn.reduce((s, [x]) => s + x, 0) / 2000).toBeCloseTo(part.mean[0], 0);
});
