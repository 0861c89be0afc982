import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import { evaluate, Model, pitGrid, safeOptimum } from "./reset-free-no-regret.parts.ts";

const grid = pitGrid(defaultRng(4), { size: 4, pits: 2, slip: 0.2 });

it("has transitions that add up to 1, and a start outside of the pits", () => {
  for (let s = 0; s < grid.states; s++)
    for (let a = 0; a < grid.actions; a++)
      expect(grid.next(s, a).reduce((sum, [, p]) => sum + p, 0)).toBeCloseTo(1, 12);
  expect(grid.pit[grid.start]).toBe(false);
  expect(grid.pit.filter((p) => p).length).toBe(2);
});

it("plans the best policy without resets, once everything is known", () => {
  const model = new Model(grid);
  for (let s = 0; s < grid.states; s++)
    for (let a = 0; a < grid.actions; a++)
      for (const [next, p] of grid.next(s, a))
        for (let i = 0; i < 10 * p - 1e-9; i++) model.learn(s, a, next);
  const { policy, reward } = model.plan(6, 0, ({ reward, cost }, at) => {
    let best = 0;
    for (let a = 1; a < 5; a++)
      if (reward[at + a] - 1e6 * cost[at + a] > reward[at + best] - 1e6 * cost[at + best]) best = a;
    return best;
  });
  const [optimum, exact] = [safeOptimum(grid, 6), evaluate(grid, policy)];
  for (let s = 0; s < grid.states; s++) {
    if (grid.pit[s]) continue;
    expect(exact.reward[s]).toBeCloseTo(optimum[s], 9);
    expect(exact.cost[s]).toBeCloseTo(0, 9);
    expect(reward[s]).toBeCloseTo(optimum[s], 9);
  }
});

it("has the highest possible value for actions that it has not tried", () => {
  const { reward, cost } = new Model(grid).plan(3, 0.1, () => 0);
  expect([reward[grid.start], cost[grid.start]]).toEqual([3, 0]);
});
