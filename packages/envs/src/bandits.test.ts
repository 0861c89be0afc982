import { type Tensor, tensor } from "@reins/tensor";
import { expect, test } from "vitest";
import { Bandit } from "./bandits.ts";
import { LinearBandit } from "./contextual-bandit.ts";

test.each([
  ["bernoulli", [0.2, 0.8]],
  ["gaussian", [-1, 2.5]],
] as const)("the arms of a %s bandit have their mean rewards", (rewards, means) => {
  const rows = 400;
  const env = new Bandit({ rows, means, rewards });
  env.reset({ seed: 0 });
  means.forEach((mean, arm) => {
    const action = tensor(new Int32Array(rows).fill(arm));
    let sum = 0;
    for (let t = 0; t < 50; t++) {
      env.step(action);
      for (const reward of env.reward.data) sum += reward;
    }
    expect(Math.abs(sum / (50 * rows) - mean)).toBeLessThan(0.03);
  });
  expect(env.regret(0)).toBeCloseTo(means[1] - means[0]);
  expect(env.regret(1)).toBe(0);
});

test("probabilities are between 0 and 1", () => {
  expect(() => new Bandit({ means: [0.5, 2] })).toThrow('Use rewards: "gaussian"');
});

test("the linear bandit's rewards follow its weights and the observed context", () => {
  const env = new LinearBandit({ rows: 3, noise: 0 });
  env.reset({ seed: 4 });
  const seen = [...env.observation.data];
  env.step(tensor(Int32Array.of(0, 1, 2)));
  for (let row = 0; row < 3; row++) {
    let mean = 0;
    for (let f = 0; f < 8; f++) mean += env.weights[row * 8 + f] * seen[row * 8 + f];
    expect(env.reward.data[row]).toBeCloseTo(mean, 5);
  }
  expect([...(env.observation as Tensor).data]).not.toEqual(seen);
  expect(Math.min(...[0, 1, 2, 3, 4].map((arm) => env.regret(0, arm)))).toBe(0);
});
