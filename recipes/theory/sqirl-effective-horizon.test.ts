import { defaultRng } from "@reins/core/random";
import { backwardInduction, finiteValues, frozenLakeModel } from "@reins/envs";
import { expect, it } from "vitest";
import { greedy, RandomContinuations, randomLake, returnOf } from "./sqirl-effective-horizon.parts.ts";

it("averages returns, and looks one step further with each iteration", () => {
  const seen = new RandomContinuations(3, 2);
  // Action 0 of state 0 leads to state 1 or 2; the best action of state 1 is 1, of state 2 none was seen.
  seen.add(0, 0, 1, 1, 1);
  seen.add(0, 0, 0, 2, 2);
  seen.add(0, 1, 0, 1, 4);
  seen.add(1, 0, 0, -1, 0);
  seen.add(1, 1, 6, -1, 6);
  expect([...seen.values(1)]).toEqual([1.5, 4, 0, 6, 0, 0]);
  // (1 + 6 + 0 + 0) / 2, and 6 after action 1.
  expect([...seen.values(2)]).toEqual([3.5, 6, 0, 6, 0, 0]);
  expect([...greedy(seen.values(2), 3, 2)]).toEqual([1, 1, 0]);
  seen.fade(0.5);
  seen.add(0, 0, 0, -1, 0);
  // The two earlier returns have half their weight: (0.5 + 1) / 2.
  expect(seen.values(1)[0]).toBe(0.75);
  seen.fade(0);
  expect([...seen.values(3)]).toEqual([0, 0, 0, 0, 0, 0]);
});

it("evaluates policies that change from step to step", () => {
  const mdp = frozenLakeModel({ map: ["SF", "HG"] });
  const right = Int32Array.of(2, 1, 0, 0);
  expect(returnOf(mdp, [right, right, right])).toBeCloseTo(finiteValues(mdp, right, { horizon: 3 })[0], 12);
  const { values, policies } = backwardInduction(mdp, { horizon: 4 });
  expect(returnOf(mdp, policies)).toBeCloseTo(values[0][0], 12);
});

it("makes lakes that can be crossed", () => {
  for (let seed = 0; seed < 20; seed++) {
    const lake = randomLake(defaultRng(seed), 4, 6);
    expect([...lake.join("")].filter((c) => c === "H")).toHaveLength(6);
    const { values } = backwardInduction(frozenLakeModel({ map: lake, slippery: false }), { horizon: 16 });
    expect(values[0][0]).toBe(1);
  }
});
