import { expect, it } from "vitest";
import type { Env } from "../env.ts";
import { box, discrete } from "../space.ts";
import { openLoop } from "./open-loop.ts";

/** Sums its actions, of two numbers each, and ends above 10. */
function adder(): Env<Float32Array, ArrayLike<number>> {
  let sum = 0;
  return {
    spec: { id: "Adder-v0", observation: box([1]), action: box([2], [-1, -2], [5, 6]) },
    reset: () => ({ observation: Float32Array.of((sum = 0)) }),
    step(action) {
      sum += action[0] + action[1];
      return { observation: Float32Array.of(sum), reward: action[0], terminated: sum > 10, truncated: false };
    },
  };
}

it("a sequence is executed in one step, with the sum as reward", () => {
  const env = openLoop(adder(), 2);
  expect(env.spec.action).toEqual(box([2, 2], [-1, -2, -1, -2], [5, 6, 5, 6]));
  env.reset();
  const { observation, ...rest } = env.step([1, 2, 3, 1]);
  expect([...observation]).toEqual([7]);
  expect(rest).toEqual({ reward: 4, terminated: true, truncated: false });
});

it("actions after the end of an episode are ignored", () => {
  const env = openLoop(adder(), 3);
  env.reset();
  expect(env.step([5, 6, 1, 1, 1, 1]).reward).toBe(5);
});

it("discrete actions are rejected", () => {
  const env = { ...adder(), spec: { ...adder().spec, action: discrete(2) } };
  expect(() => openLoop(env, 2)).toThrow("openLoop needs box actions");
});
