import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import * as nas from "./nas-performance-prediction.parts.ts";

it("has values and differences as features", () => {
  expect(nas.curveFeatures(Float64Array.of(0.5), [1, 3, 4])).toEqual([0.5, 1, 3, 4, 2, 1, -1, 1]);
});

it("fits a ridge regression, with the errors of leaving one out", () => {
  const rows = [[1], [2], [3]];
  const targets = [1, 1, 4];
  const predictor = new nas.Predictor(rows, targets, 0.5);
  // Σ x y / (Σ x² + ridge) = 15 / 14.5.
  expect(predictor.predict([2])).toBeCloseTo(30 / 14.5, 12);
  const left = rows.map(([x], i) => {
    const others = rows.map(([o], j) => (j === i ? [0, 0] : [o * o, o * targets[j]]));
    const w = others.reduce((s, o) => s + o[1], 0) / (others.reduce((s, o) => s + o[0], 0) + 0.5);
    return targets[i] - w * x;
  });
  expect(predictor.deviation).toBeCloseTo(Math.sqrt(left.reduce((s, e) => s + e * e, 0) / 3), 12);
});

it("approximates the normal distribution", () => {
  for (const [x, p] of [
    [0, 0.5],
    [1, 0.8413],
    [-2, 0.0228],
  ])
    expect(Math.abs(nas.belowNormal(x) - p)).toBeLessThan(0.018);
});

it("learns with a good configuration and not without a learning rate", () => {
  const data = nas.randomData(defaultRng(4));
  const good = nas.learningCurve(data, Float64Array.of(0.9, 0.6, 0.5, 0, 0.4), defaultRng(1));
  expect(good.length).toBe(nas.epochs);
  expect(good[nas.epochs - 1]).toBeGreaterThan(0.8);
  const bad = nas.learningCurve(data, Float64Array.of(0.9, 0, 0, 0, 0.4), defaultRng(1));
  expect(bad[nas.epochs - 1]).toBeLessThan(good[nas.epochs - 1]);
});
