import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import { SoftmaxTable } from "./softmax-table.ts";

const table = (more = {}) => new SoftmaxTable({ states: 2, actions: 3, learningRate: 0.1, ...more });

it("starts uniform, and samples by its probabilities", () => {
  const [policy, random] = [table(), defaultRng(1)];
  expect([...policy.probabilities(1)]).toEqual([1 / 3, 1 / 3, 1 / 3]);
  for (let i = 0; i < 200; i++) policy.learn(1, 2, 1 + i);
  const drawn = Array.from({ length: 2000 }, () => policy.draw(1, random));
  const [chance] = policy.probabilities(1).slice(2);
  expect(drawn.filter((a) => a === 2).length / 2000).toBeCloseTo(chance, 1);
  expect([...policy.probabilities(0)]).toEqual([1 / 3, 1 / 3, 1 / 3]);
});

it("finds the best arm", () => {
  const [policy, random] = [table(), defaultRng(2)];
  for (let i = 0; i < 5000; i++) {
    const arm = policy.draw(0, random);
    policy.learn(0, arm, random.normal([0, 1, 0.5][arm], 1));
  }
  expect(policy.probabilities(0)[1]).toBeGreaterThan(0.9);
});

it("keeps the entropy of its bonus: probabilities are proportional to exp of the reward over the weight", () => {
  const [policy, random] = [table({ entropyWeight: 0.5, learningRate: 0.02 }), defaultRng(3)];
  for (let i = 0; i < 40_000; i++) {
    const arm = policy.draw(0, random);
    policy.learn(0, arm, arm === 1 ? 1 : 0);
  }
  const chance = Math.exp(2) / (Math.exp(2) + 2);
  expect(policy.probabilities(0)[1]).toBeCloseTo(chance, 1);
});

it("credits an action with its return", () => {
  // Two steps; the second rewards action 1 of the first.
  let [time, first] = [0, 0];
  const world = {
    states: 2,
    actions: 3,
    begin: () => (time = 0),
    step(action: number) {
      if (time === 0) first = action;
      time++;
      return { state: 1, reward: time === 2 && first === 1 ? 1 : 0, over: time === 2 };
    },
  };
  const [policy, random] = [table({ learningRate: 0.5 }), defaultRng(4)];
  for (let i = 0; i < 500; i++) policy.episode(world, random);
  expect(policy.probabilities(0)[1]).toBeGreaterThan(0.9);
});
