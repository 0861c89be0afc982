import { goalRewardFor, goalSize } from "@reins/core/forms";
import { defaultRng } from "@reins/core/random";
import { columns, sampleValue, writeValue } from "@reins/core/spaces";
import { setBackend, type Tensor, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { make } from "../registry.ts";
import { normaliseReward } from "../wrappers/index.ts";

setBackend("wasm");

type Seen = { readonly observation: Tensor; readonly achieved: Tensor; readonly desired: Tensor };

describe.each([
  ["BitFlip-v0", { bits: 3 }],
  ["GoalReach-v0", {}],
  ["GoalReach-v0", { dense: true }],
  ["GoalPush-v0", {}],
  ["GoalPush-v0", { dense: true }],
] as const)("%s with %j", (id, options) => {
  it("rewards equal relabelled rewards, to the last bit", () => {
    const rows = 8;
    const env = make(id, { rows, ...options });
    const size = goalSize(env.spec.observation) as number;
    const pay = goalRewardFor(env.spec.goals!, size);
    env.reset({ seed: 3 });
    const rng = defaultRng(1);
    const action = columns(env.spec.action, rows);
    const { achieved, desired } = env.final as Seen;
    for (let t = 0; t < 60; t++) {
      for (let row = 0; row < rows; row++)
        writeValue(env.spec.action, action, row, sampleValue(env.spec.action, rng));
      env.step(action);
      const goal = (of: Tensor, row: number) => of.data.slice(row * size, (row + 1) * size);
      const expected = Array.from({ length: rows }, (_, row) => pay(goal(achieved, row), goal(desired, row)));
      expect([...env.reward.data]).toEqual(expected);
    }
  });
});

describe("BitFlip-v0", () => {
  it("flips the chosen bit, and ends when all match the goal", () => {
    const env = make("BitFlip-v0", { bits: 4 });
    env.reset({ seed: 2 });
    const { observation, desired } = env.observation as Seen;
    const wrong = [0, 1, 2, 3].filter((i) => observation.data[i] !== desired.data[i]);
    expect(wrong.length).toBeGreaterThan(0);
    wrong.forEach((bit, done) => {
      env.step(tensor([bit], { dtype: "i32" }));
      const last = done === wrong.length - 1;
      expect([env.reward.data[0], env.terminated.data[0]]).toEqual(last ? [0, 1] : [-1, 0]);
    });
    expect(env.ended.return[0]).toBe(1 - wrong.length);
  });
});

it("a wrapper that changes rewards or observations drops the goals", () => {
  const env = make("GoalReach-v0");
  expect(env.spec.goals).toEqual({ tolerance: 0.05, reward: "sparse", ends: false });
  expect(normaliseReward(env).spec.goals).toBeUndefined();
});
