import { defaultRng } from "@reins/core/random";
import { innerProduct } from "@reins/envs";
import { expect, it } from "vitest";
import * as duels from "./dueling-rl.parts.ts";

const matrix = [Float64Array.of(4, 2), Float64Array.of(2, 3)];

it("solves with a Cholesky factor", () => {
  const l = duels.cholesky(matrix);
  expect(l[0][0]).toBeCloseTo(2, 12);
  expect(l[1][0]).toBeCloseTo(1, 12);
  // 4 x + 2 y = 8 and 2 x + 3 y = 8.
  const x = duels.solveFactored(l, Float64Array.of(8, 8));
  expect(x[0]).toBeCloseTo(1, 12);
  expect(x[1]).toBeCloseTo(2, 12);
  // Lᵀ x = y: √2 x₂ = √2, and 2 x₁ + x₂ = 3.
  expect(duels.solveUpper(l, Float64Array.of(3, Math.SQRT2))[0]).toBeCloseTo(1, 12);
});

it("expects the features that trajectories have on average", () => {
  const random = defaultRng(5);
  const duel = duels.randomDuel(random, {
    states: 4,
    actions: 2,
    horizon: 3,
    dimension: 2,
    policies: 3,
    strength: 2,
  });
  expect(Math.sqrt(innerProduct(duel.weights, duel.weights))).toBeCloseTo(2, 12);
  let sum = 0;
  for (let i = 0; i < 4000; i++) sum += duels.sampleFeatures(duel, 1, random)[0] / 4000;
  expect(sum).toBeCloseTo(duel.means[1][0], 1);
});

it("learns the direction of preferences", () => {
  const random = defaultRng(6);
  const preferences = new duels.Preferences(2, 1);
  for (let i = 0; i < 400; i++) {
    const x = Float64Array.of(random.standardNormal(), random.standardNormal());
    preferences.learn(x, random.chance(duels.sigmoid(2 * x[0] - x[1])));
  }
  expect(preferences.weights[0]).toBeCloseTo(2, 0);
  expect(preferences.weights[1]).toBeCloseTo(-1, 0);
});
