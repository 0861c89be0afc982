import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import { finiteValues } from "../tabular/finite.ts";
import { backwardInduction } from "../tabular/solve.ts";
import { startValue } from "../tabular/values.ts";
import { fruitCollectionModel, randomFruitLayout } from "./fruit-collection.ts";

// The agent in the middle of a row, a fruit at each end: f.@.f
const row = { size: 5, fruits: [10, 14], dangers: [], start: 12 };

it("rewards each fruit once and ends with the last", () => {
  const { mdp, has, cell } = fruitCollectionModel(row);
  const start = mdp.start.indexOf(1);
  let state = start;
  const rewards: number[] = [];
  for (const action of [3, 3, 4, 1, 1, 1]) {
    const [outcome] = mdp.transition[state][action];
    rewards.push(outcome.reward);
    expect(outcome.terminated).toBe(false);
    state = outcome.state;
  }
  expect(rewards).toEqual([0, 1, 0, 0, 0, 0]);
  expect([has(state, 0), has(state, 1), cell(state)]).toEqual([false, true, 13]);
  expect(mdp.transition[state][1][0]).toMatchObject({ reward: 1, terminated: true });
});

it("the optimal plan takes as many steps as counted by hand", () => {
  const { mdp } = fruitCollectionModel(row);
  const value = (horizon: number) => startValue(mdp, backwardInduction(mdp, { horizon }).values[0]);
  expect([1, 2, 5, 6].map(value)).toEqual([0, 1, 1, 2]);
});

it("dangers cost each time they are entered, and fruit behind them may not be worth it", () => {
  // A corner fruit whose two approaches are dangers.
  const { mdp } = fruitCollectionModel({ size: 3, fruits: [0], dangers: [1, 3], start: 8 }, { penalty: 2 });
  expect(startValue(mdp, backwardInduction(mdp, { horizon: 20 }).values[0])).toBe(0);
  const through = Int32Array.from({ length: mdp.states }, (_, s) => (s % 9 >= 3 ? 0 : 3));
  expect(startValue(mdp, finiteValues(mdp, through, { horizon: 20 }))).toBe(-1);
  expect(startValue(mdp, finiteValues(mdp, through, { horizon: 20, counts: () => 1 }))).toBe(4);
});

it("layouts put everything in a separate cell", () => {
  const layout = randomFruitLayout(defaultRng(1), { size: 4, fruits: 6, dangers: 5 });
  expect(new Set([...layout.fruits, ...layout.dangers, layout.start]).size).toBe(12);
  expect(() => fruitCollectionModel({ ...layout, start: layout.fruits[0] })).toThrow("separate cells");
});
