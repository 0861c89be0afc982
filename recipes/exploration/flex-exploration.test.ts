import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import * as flex from "./flex-exploration.parts.ts";

it("has features with the derivatives that it says", () => {
  const [x, up, down, slopes] = [0, 0, 0, 0].map(() => new Float64Array(flex.count));
  flex.features(0.7, 0.4, x, slopes);
  flex.features(0.7, 0.4 + 1e-6, up);
  flex.features(0.7, 0.4 - 1e-6, down);
  for (let i = 0; i < flex.count; i++) expect((up[i] - down[i]) / 2e-6).toBeCloseTo(slopes[i], 6);
  flex.features(0.7 + 2 * Math.PI, 0.4, up);
  for (let i = 0; i < flex.count; i++) expect(up[i]).toBeCloseTo(x[i], 12);
});

it("inverts the information matrix and solves the ridge regression", () => {
  const model = new flex.LeastSquares(2, 0.5);
  const samples: [number[], number][] = [
    [[1, 2], 3],
    [[0, 1], -1],
    [[2, -1], 0.5],
  ];
  for (const [x, y] of samples) model.learn(Float64Array.from(x), y);
  // M = ½ I + Σ x xᵀ = [[5.5, 0], [0, 6.5]], Σ x y = [4, 4.5].
  expect(model.inverse[0][0]).toBeCloseTo(1 / 5.5, 12);
  expect(model.inverse[0][1]).toBeCloseTo(0, 12);
  expect(model.weights[0]).toBeCloseTo(4 / 5.5, 12);
  expect(model.weights[1]).toBeCloseTo(4.5 / 6.5, 12);
});

it("chooses the control with more information after the next step", () => {
  const random = defaultRng(1);
  const model = new flex.LeastSquares(flex.count, 0.01);
  const x = new Float64Array(flex.count);
  // Only high speeds have been seen: going slower, to what is unknown, tells more.
  for (let i = 0; i < 300; i++)
    model.learn(flex.features(random.uniform(0, 6), random.uniform(0.9, 2.4), x), random.normal());
  const view = { angle: 1, speed: 0.6, model, visited: [] };
  const info = (u: number) => {
    const drift = flex.features(1, 0.6, x).reduce((sum, f, i) => sum + f * model.weights[i], 0);
    flex.features(1 + flex.interval * 0.6, 0.6 + flex.interval * (drift + u), x);
    return x.reduce((sum, f, i) => sum + f * model.times(x, new Float64Array(flex.count))[i], 0);
  };
  const u = flex.mostInformative(view, 0.5);
  expect(info(u)).toBeGreaterThan(info(-u));
  expect(flex.furthest({ ...view, visited: [[1, 2.4]] }, 0.5)).toBe(-0.5);
});

it("has no error with the true field, and an error of one without a model", () => {
  const pendulum = flex.randomPendulum(defaultRng(2));
  expect(flex.fieldError(pendulum, new Float64Array(flex.count))).toBe(1);
  const model = new flex.LeastSquares(flex.count, 1e-6);
  const random = defaultRng(3);
  for (let i = 0; i < 3000; i++) {
    const [angle, speed] = [random.uniform(0, 6.3), random.uniform(-2.4, 2.4)];
    model.learn(
      flex.features(angle, speed, new Float64Array(flex.count)),
      flex.acceleration(pendulum, angle, speed),
    );
  }
  expect(flex.fieldError(pendulum, model.weights)).toBeLessThan(0.1);
});
