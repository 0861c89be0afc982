import type { VectorEnv } from "@reins/core";
import { defaultRng } from "@reins/core/random";
import { type Tensor, tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { make } from "../registry.ts";
import { normaliseReward } from "../wrappers/index.ts";

it("moves as CartPole-v1 does, in f32", () => {
  const rows = 16;
  const traced = make("CartPole-v1", { rows, traced: true });
  const usual = make("CartPole-v1", { rows });
  traced.reset({ seed: 4 });
  usual.reset({ seed: 4 });
  // From the traced state, one step at a time: differences do not accumulate.
  const random = defaultRng(1);
  let ends = 0;
  for (let t = 0; t < 60; t++) {
    const before = Array.from((traced.observation as Tensor).data);
    const saved = usual.save() as { state: Record<string, Float64Array> };
    ["position", "speed", "angle", "turning"].forEach((name, i) => {
      for (let row = 0; row < rows; row++) saved.state[name][row] = before[row * 4 + i];
    });
    usual.restore(saved as Parameters<typeof usual.restore>[0]);
    const action = tensor(Int32Array.from({ length: rows }, () => random.integers(2)));
    traced.step(action);
    usual.step(action);
    expect(traced.terminated.toArray()).toEqual(usual.terminated.toArray());
    for (let row = 0; row < rows; row++) {
      const over = traced.terminated.data[row] === 1;
      ends += Number(over);
      const [a, b] = over ? [traced.final, usual.final] : [traced.observation, usual.observation];
      for (let i = 0; i < 4; i++)
        expect((a as Tensor).data[row * 4 + i]).toBeCloseTo((b as Tensor).data[row * 4 + i], 5);
    }
  }
  expect(ends).toBeGreaterThan(10);
  expect(traced.reward.toArray()).toEqual(Array.from({ length: rows }, () => 1));
});

it("has CartPole's other forms, and a rendering", () => {
  const env = make("CartPole-v0", { traced: true, suttonBarto: true, maxSteps: 3 });
  expect(env.spec).toMatchObject({ id: "CartPole-v0", maxSteps: 3, solvedAt: 195 });
  env.reset({ seed: 1 });
  for (let t = 0; t < 3; t++) env.step(tensor([0], { dtype: "i32" }));
  expect([env.truncated.data[0], env.reward.data[0] + 0]).toEqual([1, 0]);
  expect(env.picture?.(0).shapes.length).toBeGreaterThan(2);
});

it("is stepped like any other behind a wrapper", () => {
  const env = make("CartPole-v1", { rows: 2, traced: true });
  expect(env.traced).toBeDefined();
  const wrapped: VectorEnv = normaliseReward(env);
  expect(wrapped.traced).toBeUndefined();
});
