import { expect, it } from "vitest";
import { startValue, valueIteration } from "../tabular/index.ts";
import { adversarialCliff } from "./pushed-cliff.ts";

const cliff = adversarialCliff({ width: 4, height: 3, cost: 0 });
const only = (way: number) => [0, 1, 2, 3, 4].map((w) => (w === way ? 1 : 0));
const gamma = 0.9;
const value = (way: number, strength: number) => {
  const mdp = cliff.against({ push: () => only(way), strength });
  return startValue(mdp, valueIteration(mdp, { gamma }).values);
};

it("rewards the goal and a fall, after a step and a push", () => {
  expect(cliff.after(8, 0, 4)).toEqual({ state: 4, reward: 0, terminated: false });
  expect(cliff.after(8, 1, 4)).toEqual({ state: 9, reward: -1, terminated: true });
  expect(cliff.after(4, 1, 2)).toEqual({ state: 9, reward: -1, terminated: true });
  expect(cliff.after(7, 2, 0)).toEqual({ state: 11, reward: 1, terminated: true });
});

it("has a lower value the harder the push towards the cliff", () => {
  // Up, three to the right and down.
  expect(value(4, 0)).toBeCloseTo(gamma ** 4, 9);
  expect(value(2, 0.3)).toBeLessThan(value(4, 0));
  expect(value(2, 0.8)).toBeLessThan(value(2, 0.3));
});

it("has the lowest value against the worst push", () => {
  const small = adversarialCliff({ width: 3, height: 2, cost: 0 });
  const policy = [1, 1, 2, 0, 0, 0];
  expect(small.worst({ policy, strength: 0, gamma })).toBeCloseTo(gamma ** 3, 8);
  // Back to the left before the last cell, into the cliff before that, and down to the start from above it.
  const [moves, stays] = [0.4 * gamma, 0.6 * gamma];
  const last = stays / (1 - moves);
  const first = stays * last - 0.4;
  const byHand = (stays * first) / (1 - moves);
  expect(small.worst({ policy, strength: 0.4, gamma })).toBeCloseTo(byHand, 8);
  expect(small.worst({ strength: 0.4, gamma })).toBeGreaterThanOrEqual(byHand - 1e-9);
  for (const way of [0, 1, 2, 3])
    expect(cliff.worst({ strength: 0.4, gamma })).toBeLessThan(value(way, 0.4) + 1e-9);
});
