import { defaultRng } from "@reins/core/random";
import { compile, random, type Tensor, type Tree, tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { decorrelationWeights } from "./decorrelation.ts";
import { saliencyGuided } from "./saliency.ts";

/** Two features that are equal in nine rows of ten, and three random ones. */
const rows = 128;
const chance = defaultRng(1);
const features = Array.from({ length: rows }, () => {
  const one = chance.integers(2);
  return [one, chance.random() < 0.9 ? one : 1 - one, chance.normal(), chance.normal(), chance.normal()];
});
const correlation = (weights: ArrayLike<number>, i: number, j: number) => {
  const mean = (f: (row: readonly number[]) => number) =>
    features.reduce((sum, row, k) => sum + weights[k] * f(row), 0) / rows;
  const [a, b] = [mean((r) => r[i]), mean((r) => r[j])];
  const product = (p: number, q: number) =>
    mean((r) => (r[p] - (p === i ? a : b)) * (r[q] - (q === i ? a : b)));
  return product(i, j) / Math.sqrt(product(i, i) * product(j, j));
};
const used = (weights: ArrayLike<number>) => rows / Array.from(weights).reduce((sum, w) => sum + w * w, 0);
const weightsBy = compile((x: Tensor, counts: Tensor, key: Tensor) => decorrelationWeights(x, counts, key));

it("weights samples so that a selected feature is less correlated with others, and keeps most samples in use", () => {
  const even = new Float32Array(rows).fill(1);
  const before = correlation(even, 0, 1);
  const weights = weightsBy(tensor(features), tensor([1, 0, 0, 0, 0]), random.key(1)).data;
  expect(Array.from(weights).reduce((sum, w) => sum + w, 0) / rows).toBeCloseTo(1, 4);
  expect(Math.min(...weights)).toBeGreaterThan(0);
  expect(before).toBeGreaterThan(0.6);
  expect(correlation(weights, 0, 1)).toBeLessThan(before - 0.2);
  expect(used(weights)).toBeGreaterThan(0.4);
});

it("ignores pairs with weight 0", () => {
  const aside = weightsBy(tensor(features), tensor([0, 0, 0, 0, 1]), random.key(1)).data;
  expect(correlation(aside, 0, 1)).toBeGreaterThan(0.5);
});

it("finds the changing features by a classifier, whose gradient does not reach the features", () => {
  // The variation shows in the second feature alone.
  const { auxiliary, weigh } = saliencyGuided({
    variations: 2,
    of: (observation) => observation as Tensor,
    hidden: [],
  });
  const task = auxiliary!({ features: 5, apply: () => tensor([[0]]) }, undefined as never);
  const own = task.init(random.key(0)) as { layers: { weight: Tensor; bias: Tensor }[] };
  own.layers[0].weight.data.fill(0);
  own.layers[0].weight.data.set([-3, 3], 2);
  const labels = tensor(Int32Array.from(features, (row) => row[1]));
  const guided = weigh!(tensor(features), random.key(3), own as unknown as Tree, labels).data;
  expect(correlation(guided, 0, 1)).toBeLessThan(correlation(new Float32Array(rows).fill(1), 0, 1) - 0.2);
});
