import { tensor } from "@reins/tensor";
import { describe, expect, test } from "vitest";
import { chainModel, corridorModel } from "../chain.ts";
import { frozenLakeModel } from "../toy/frozen-lake.ts";
import { tabularEnv } from "./env.ts";
import { evaluatePolicy } from "./evaluate.ts";
import { tabularMdp } from "./mdp.ts";
import { tabularModel } from "./models.ts";
import { backwardInduction, policyIteration, valueIteration } from "./solve.ts";
import { startValue } from "./values.ts";

describe("solving an MDP", () => {
  test.each([
    ["FrozenLake-v1", 0.99],
    ["FrozenLake8x8-v1", 0.99],
    ["CliffWalking-v1", 1],
    ["Taxi-v4", 0.99],
    ["RiverSwim-v0", 0.95],
  ])("%s: value and policy iteration agree", (id, gamma) => {
    const mdp = tabularModel(id);
    const byValues = valueIteration(mdp, { gamma });
    const byPolicies = policyIteration(mdp, { gamma });
    byValues.values.forEach((v, s) => expect(byPolicies.values[s]).toBeCloseTo(v, 7));
    const exact = evaluatePolicy(mdp, byValues.policy, { gamma });
    byValues.values.forEach((v, s) => expect(exact[s]).toBeCloseTo(v, 7));
  });

  test("the shortest path along the cliff has 13 steps", () => {
    const mdp = tabularModel("CliffWalking-v1");
    expect(startValue(mdp, valueIteration(mdp, { gamma: 1 }).values)).toBe(-13);
  });

  // From Gymnasium 1.4's own tables by the same induction in NumPy. (Its registry gives 8.46 as Taxi's optimum.)
  test.each([
    ["FrozenLake-v1", 100, 0.7441902878292689],
    ["FrozenLake8x8-v1", 200, 0.9132201502016288],
    ["Taxi-v4", 200, 7.93],
  ])("%s: the best return in %i steps is %f", (id, horizon, best) => {
    const mdp = tabularModel(id);
    expect(startValue(mdp, backwardInduction(mdp, { horizon }).values[0])).toBeCloseTo(best, 10);
  });

  test("the value of a corridor falls with the distance of its right end, and going there is optimal", () => {
    const { policy, values } = valueIteration(corridorModel({ length: 5 }), { gamma: 0.5 });
    expect([...policy]).toEqual([1, 1, 1, 1, 1]);
    expect([...values]).toEqual([1 / 16, 1 / 8, 1 / 4, 1 / 2, 1]);
  });

  test("in the chain going on is optimal", () => {
    const { policy } = valueIteration(chainModel(), { gamma: 0.99 });
    expect([...policy]).toEqual([0, 0, 0, 0, 0]);
  });

  test("a random policy has its value too", () => {
    const mdp = tabularMdp({ id: "Coin-v0", states: 1, actions: 2, start: [1] }, (_, a) => [
      { probability: 1, state: 0, reward: a, terminated: a === 1 },
    ]);
    expect(evaluatePolicy(mdp, Float64Array.of(0.5, 0.5), { gamma: 1 })[0]).toBeCloseTo(1);
    expect(() => evaluatePolicy(mdp, Int32Array.of(0), { gamma: 1 })).toThrow("never terminates");
  });

  test("invalid tables are rejected", () => {
    expect(() =>
      tabularMdp({ id: "X-v0", states: 1, actions: 1, start: [1] }, () => [
        { probability: 0.5, state: 0, reward: 0, terminated: false },
      ]),
    ).toThrow("X-v0: probabilities of action 0 in state 0 do not add up to 1.");
    expect(() => tabularModel("FrozenLake-v2")).toThrow("Did you mean FrozenLake-v1");
  });
});

test("playing the optimal policy of a table returns its value", () => {
  const mdp = frozenLakeModel();
  const { policies, values } = backwardInduction(mdp, { horizon: 100 });
  const rows = 512;
  const env = tabularEnv(mdp, { rows });
  env.reset({ seed: 3 });
  const action = tensor(new Int32Array(rows));
  const age = new Int32Array(rows);
  let [sum, episodes] = [0, 0];
  for (let t = 0; t < 400; t++) {
    for (let i = 0; i < rows; i++) action.data[i] = policies[age[i]++][env.observation.data[i]];
    env.step(action);
    for (let i = 0; i < rows; i++) {
      if (!env.ended.length[i]) continue;
      sum += env.ended.return[i];
      episodes++;
      age[i] = 0;
    }
  }
  expect(Math.abs(sum / episodes - startValue(mdp, values[0]))).toBeLessThan(0.03);
});
