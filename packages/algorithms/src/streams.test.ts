import { box, discrete, type Env, Run } from "@reins/core";
import { vectorise } from "@reins/core/forms";
import { make } from "@reins/envs";
import { leaves } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { ppo } from "./ppo.ts";

const small = { envs: 4, steps: 16, hidden: [8], learningRate: 1e-2 };
const cart = (more: object) => ({
  spec: make("CartPole-v1", { rows: 1, maxSteps: 20, ...more }).spec,
  make: (rows: number) => make("CartPole-v1", { rows, maxSteps: 20, ...more }),
});

/** Food is near, safety is far: low discounts eat, high discounts wait. */
const meadow = (): Env => {
  let step = 0;
  let hid = false;
  return {
    spec: {
      id: "Meadow-v0",
      observation: box([2]),
      action: discrete(2),
      rewards: ["food", "safety"],
      maxSteps: 3,
    },
    reset() {
      [step, hid] = [0, false];
      return { observation: [1, 0] };
    },
    step(action) {
      if (step === 0) hid = action === 1;
      step++;
      const reward = step === 1 ? [hid ? 0 : 1, 0] : [0, step === 3 && hid ? 1.5 : 0];
      return { observation: [0, step / 3], reward, terminated: step === 3, truncated: false };
    },
    save: () => ({ step, hid }),
    restore(from) {
      ({ step, hid } = from as { step: number; hid: boolean });
    },
  };
};

const weightsOf = (run: Run) => leaves(run.process.acting!.weights).flatMap((t) => Array.from(t.data));

describe("several discounts", () => {
  it.each([
    ["stepped", {}, {}],
    ["in one call", {}, { traced: true }],
    ["with a memory", { memory: "gru", units: 8, minibatches: 2 }, {}],
  ] as const)("one of them is gamma: %s", (_how, options, world) => {
    const run = (more: object) => {
      const made = new Run({
        algorithm: ppo({ ...small, ...options, ...more }),
        env: cart(world),
        steps: 256,
        seed: 4,
      });
      made.advance();
      return weightsOf(made);
    };
    const [plain, headed] = [run({ gamma: 0.9 }), run({ discounts: [0.9] })];
    expect(headed.length).toBe(plain.length);
    headed.forEach((w, i) => expect(w).toBeCloseTo(plain[i], 4));
  });

  it.each([
    ["a low discount for safety", [0.9, 0.3], 0],
    ["a high discount for safety", [0.9, 1], 1],
  ])("%s decides", (_why, discounts, action) => {
    const env = { spec: meadow().spec, make: (rows: number) => vectorise(meadow, rows) };
    const algorithm = ppo({ ...small, envs: 16, lambda: 1, discounts });
    const run = new Run({ algorithm, env, steps: 8192, seed: 1 });
    run.advance();
    expect(run.metrics["return/mean"]).toBeCloseTo(action === 1 ? 1.5 : 1, 1);
  });

  it("rejects incompatible options", () => {
    const env = { spec: meadow().spec, make: (rows: number) => vectorise(meadow, rows) };
    const begin = (options: object) => () =>
      new Run({ algorithm: ppo({ ...small, ...options }), env, steps: 64 });
    expect(begin({ discounts: [0.9] })).toThrow(
      "Meadow-v0 has 2 rewards (food, safety), but 1 discounts are given",
    );
    expect(begin({ discounts: [0.9, 2] })).toThrow("discounts contains 2; each must be from 0 to 1");
    expect(begin({ discounts: [0.9, 1], discountWeights: [1] })).toThrow(
      "1 discountWeights are given for 2 discounts",
    );
    expect(begin({ discounts: [0.9, 1], popArt: true })).toThrow("Leave out popArt");
    expect(begin({ discounts: [0.9, 1], selfImitation: 2 })).toThrow("selfImitation compares returns");
  });
});
