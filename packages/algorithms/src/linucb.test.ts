import { box, discrete, type Env, Run } from "@reins/core";
import { evaluate } from "@reins/core/evaluations";
import { defaultRng } from "@reins/core/random";
import { describe, expect, it } from "vitest";
import { LinearModels } from "./bandits/linear-model.ts";
import { regret } from "./bandits/regret.ts";
import { linucb } from "./linucb.ts";
import { expectExact, source, sourceOf } from "./tabular/testing.ts";

const env = source("LinearBandit-v0", { arms: 4, features: 5 });
const seeds = [100, 101, 102, 103, 104];

/** Arms with features that change every time; rewards are one function of them. */
function described(): Env {
  const random = defaultRng(3);
  let shown: Float32Array;
  const look = () => (shown = Float32Array.from({ length: 12 }, () => random.standardNormal()));
  const mean = (arm: number) => 0.5 * shown[arm * 3] - 0.8 * shown[arm * 3 + 2];
  return {
    spec: { id: "Described-v0", observation: box([4, 3]), action: discrete(4), maxSteps: 50 },
    reset: () => ({ observation: look() }),
    step(arm) {
      const reward = mean(arm as number);
      return { observation: look(), reward, terminated: false, truncated: false };
    },
  };
}

describe("linucb", () => {
  it("learns which arm suits which context, with regret that stops growing", () => {
    const { curve } = regret({ algorithm: linucb(), env, steps: 2000, seeds, points: 4 });
    expect(curve[0].mean).toBeLessThan(40);
    expect(curve[3].mean - curve[1].mean).toBeLessThan(0.15 * curve[1].mean);
    const blind = regret({ algorithm: linucb({ ridge: 1e8, alpha: 0 }), env, steps: 2000, seeds });
    expect(curve[3].mean).toBeLessThan(0.1 * blind.mean);
  });

  it("performs as well after training", () => {
    const run = new Run({ algorithm: linucb(), env, steps: 2000, seed: 100 });
    run.advance();
    const last = run.metrics["return/mean"];
    expect(evaluate(run, env, { episodes: 40 }).mean).toBeGreaterThan(0.95 * last);
  });

  it("with one shared model, needs fewer pulls where arms have features", () => {
    const earned = (shared: boolean) => {
      const run = new Run({ algorithm: linucb({ shared }), env: sourceOf(described), steps: 200, seed: 100 });
      return run.advance()["return/mean"];
    };
    expect(earned(true)).toBeGreaterThan(earned(false));
  });

  it("is reproducible by seed and resumes exactly", () => {
    expectExact({ algorithm: linucb({ envs: 2, round: 20 }), env, steps: 400 });
  });

  it("rejects unsupported environments", () => {
    const start = (id: string, options = {}) =>
      new Run({ algorithm: linucb(options), env: source(id), steps: 10 });
    expect(() => start("FrozenLake-v1")).toThrow(
      /FrozenLake-v1 are Discrete\(16\); linucb takes a context Box/,
    );
    expect(() => start("LinearBandit-v0", { shared: true })).toThrow("have no features per arm");
  });
});

it("a linear model is the ridge regression of its samples", () => {
  const models = new LinearModels(2, 2, 0.5);
  const samples = [
    [1, 2, 3],
    [0, 1, -1],
    [2, -1, 0.5],
  ];
  for (const [a, b, r] of samples) models.learn(1, Float64Array.of(a, b), 0, r);
  // A = 0.5 I + Σ x xᵀ = [[5.5, 0], [0, 6.5]], Σ r x = [4, 4.5].
  expect(models.theta[2]).toBeCloseTo(4 / 5.5, 12);
  expect(models.theta[3]).toBeCloseTo(4.5 / 6.5, 12);
  expect(models.uncertainty(1, Float64Array.of(1, 1), 0)).toBeCloseTo(1 / 5.5 + 1 / 6.5, 12);
  expect([...models.theta.slice(0, 2)]).toEqual([0, 0]);
});
