import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import * as parts from "./icvar-rl.parts.ts";

it("is the mean of the worst share, and the maximum over levels of its dual form", () => {
  const [p, values] = [Float64Array.of(0.5, 0.1, 0.4), Float64Array.of(3, 0, 1)];
  const order = parts.ascending(values);
  expect(order).toEqual([1, 2, 0]);
  expect(parts.cvar(p, values, order, 0.1)).toBeCloseTo(0, 12);
  // A tenth of 0 and a tenth of 1.
  expect(parts.cvar(p, values, order, 0.2)).toBeCloseTo(0.5, 12);
  expect(parts.cvar(p, values, order, 1)).toBeCloseTo(1.9, 12);
  const dual = (x: number) => x - parts.shortfalls(p, x, values, new Float64Array(1))[0] / 0.2;
  expect(Math.max(...Array.from(values, dual))).toBeCloseTo(0.5, 12);
});

it("evaluates the planned policy as planned", () => {
  const mdp = parts.randomMixture(defaultRng(2), { states: 5, actions: 2, horizon: 3, kernels: 2 });
  const { policy, values } = parts.planSteps(
    mdp,
    (h, s, a, next, order) => mdp.rewards[s][a] + parts.cvar(mdp.transitions[h][s][a], next, order, 0.3),
  );
  expect(parts.iteratedCvar(mdp, policy, 0.3)).toBeCloseTo(values[0][0], 12);
  expect(parts.iteratedCvar(mdp, policy, 0.3, 0.5)).toBeLessThan(values[0][0]);
});

it("finds the weights of a mixture by regression and by likelihood", () => {
  const random = defaultRng(3);
  const [one, other, values] = [
    Float64Array.of(0.9, 0.1, 0),
    Float64Array.of(0, 0.2, 0.8),
    Float64Array.of(0, 1, 2),
  ];
  const kernels = Float64Array.from([...one, ...other]);
  const mixture = parts.mixtureOf(kernels, Float64Array.of(0.7, 0.3));
  const ridge = new parts.Ridge(2, 0.1);
  let weights: Float64Array = Float64Array.of(0.5, 0.5);
  const samples: Float64Array[] = [];
  for (let i = 0; i < 2000; i++) {
    const s = random.choice(3, mixture);
    const x = parts.expectations(kernels, values, new Float64Array(2));
    ridge.learn(x, values[s]);
    samples.push(Float64Array.of(one[s], other[s]));
  }
  for (let i = 0; i < 20; i++) weights = parts.likelierWeights(weights, samples, 1);
  expect(weights[0]).toBeCloseTo(0.7, 1);
  // Expectations are 0.1 and 1.8: only their mixture is determined, not the weights.
  expect(0.1 * ridge.weights[0] + 1.8 * ridge.weights[1]).toBeCloseTo(0.61, 1);
  expect(ridge.uncertainty(Float64Array.of(0.1, 1.8))).toBeLessThan(0.05);
});
