import { box, discrete, Run, type VectorEnv } from "@reins/core";
import { LiveValue } from "@reins/core/settings";
import * as targets from "@reins/core/targets";
import { make } from "@reins/envs";
import { leaves, random, setBackend, type Tensor, tensor, zeros } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { pqn } from "./pqn.ts";
import { epsilonGreedyChances, valuePolicy } from "./q/value-policy.ts";
import { aim, corridor, endless, score, trained } from "./testing-envs.ts";
import { bandit, expectExactResume, expectSeeded, forbidding } from "./testing-on-policy.ts";

setBackend("wasm");

const small = {
  envs: 8,
  steps: 8,
  minibatches: 2,
  hidden: [16],
  learningRate: 1e-2,
  gamma: 0.9,
};

describe("the target", () => {
  const column = (x: number[]) => tensor(x.map((v) => [v]));
  const flags = (x: number[]) =>
    tensor(
      x.map((v) => [v]),
      { dtype: "bool" },
    );

  it("mixes the best next values with the following return, by hand", () => {
    // r + γ ((1 - λ) max q' + λ G'), backwards: the third step terminates, the fourth begins another episode.
    const [g, l] = [0.5, 0.25];
    const q = [1, 2, 3, 4];
    const [reward, after] = [[1, 0, 2, 1], 8];
    const last = 1 + g * after;
    const third = 2;
    const second = 0 + g * ((1 - l) * q[2] + l * third);
    const first = 1 + g * ((1 - l) * q[1] + l * second);
    const { return: found } = targets.tdLambda({ gamma: g, lambda: l })({
      reward: column(reward),
      value: column(q),
      nextValue: column([...q.slice(1), after]),
      terminated: flags([0, 0, 1, 0]),
      done: flags([0, 0, 1, 0]),
    });
    [first, second, third, last].forEach((v, i) => void expect(found.data[i]).toBeCloseTo(v, 6));
  });

  it("is the best allowed action's value, and the taken action's is trained", () => {
    const spec = { id: "Three-v0", observation: box([2], -1, 1), action: discrete(3, 1) };
    const policy = valuePolicy(spec, { epsilon: new LiveValue("epsilon", 0.3), hidden: [8] });
    const weights = policy.init(random.key(1));
    const observation = random.normal(random.key(2), [4, 2]);
    const each = [1, 2, 3].map((a) => {
      const scored = policy.score(weights, { view: { observation }, action: zeros([4], "i32").add(a) });
      return scored.value as Tensor;
    });
    const best = policy.act(weights, { observation }, {});
    const mask = tensor(new Array(4).fill([1, 0, 1]), { dtype: "bool" });
    const some = policy.act(weights, { observation, mask }, {});
    for (let row = 0; row < 4; row++) {
      const values = each.map((v) => v.data[row]);
      expect(best.value?.data[row]).toBe(Math.max(...values));
      expect((best.action as Tensor).data[row]).toBe(1 + values.indexOf(Math.max(...values)));
      expect(some.value?.data[row]).toBe(Math.max(values[0], values[2]));
    }
  });

  it("probabilities add up to 1, over allowed actions", () => {
    const mask = tensor([[1, 1, 0]], { dtype: "bool" });
    const chances = epsilonGreedyChances(tensor([[1, 2, 3]]), tensor(0.2), mask);
    expect(chances.toArray()).toEqual([[expect.closeTo(0.1, 6), expect.closeTo(0.9, 6), 0]]);
  });
});

describe("pqn", () => {
  it("finds the prize at the end of a corridor", () => {
    const run = trained({ algorithm: pqn(small), env: corridor(), steps: 8000, seed: 1 });
    expect(score(run)).toBeCloseTo(1);
  });

  it("finds the better arm of a bandit, and learns nothing from arms without rewards", () => {
    expect(score(trained({ algorithm: pqn(small), env: bandit(), steps: 3000, seed: 1 }))).toBeCloseTo(1);
    const nothing = trained({ algorithm: pqn(small), env: bandit(0, 0), steps: 3000, seed: 1 });
    expect(nothing.metrics["loss/value"]).toBeLessThan(1e-3);
  });

  it("bootstraps from truncated episodes", () => {
    const options = { ...small, gamma: 0.5, steps: 7 };
    const run = trained({ algorithm: pqn(options), env: endless("discrete"), steps: 8000, seed: 1 });
    expect(run.metrics["value/mean"]).toBeCloseTo(2, 1);
  });

  it("never takes a masked action", () => {
    expect(
      score(trained({ algorithm: pqn(small), env: forbidding(), steps: 8000, seed: 1 })),
    ).toBeGreaterThan(1);
  });

  it("resumes exactly, and equal seeds give equal runs", () => {
    expectExactResume(() => pqn(small), corridor(), 1024);
    expectSeeded(() => pqn(small), corridor(), 512);
  });

  it("collects and learns in one call with traced environments, with the same numbers", () => {
    const after = (of: (env: VectorEnv) => VectorEnv) => {
      const world = (rows: number) => of(make("CartPole-v1", { rows, traced: true }));
      const env = { spec: make("CartPole-v1").spec, make: world };
      const run = new Run({ algorithm: pqn(small), env, steps: 1024, seed: 2 });
      run.advance();
      return {
        whole: run.process.whole !== undefined,
        weights: leaves(run.process.acting!.weights).map((t) => [...t.data]),
      };
    };
    const whole = after((env) => env);
    const apart = after((env) => Object.create(env, { traced: { value: undefined } }));
    expect([whole.whole, apart.whole]).toEqual([true, false]);
    expect(whole.weights).toEqual(apart.weights);
  });

  it("rejects continuous actions", () => {
    expect(() => trained({ algorithm: pqn(), env: aim(), steps: 10 })).toThrow("needs discrete actions");
  });
});
