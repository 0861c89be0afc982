import { Run } from "@reins/core";
import { evaluate } from "@reins/core/evaluations";
import * as signals from "@reins/core/signals";
import { source } from "@reins/envs";
import { setBackend } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { ddpg } from "./ddpg.ts";
import { dqn } from "./dqn.ts";
import { rainbow } from "./rainbow.ts";
import { sac } from "./sac.ts";
import { td3 } from "./td3.ts";
import { aim, fingerprint, trained } from "./testing-envs.ts";
import { tqc } from "./tqc.ts";

// Runs without a compiler; tiny networks would not gain from one.
setBackend("wasm");

const flips = (hindsight: number) =>
  dqn({
    hindsight,
    hidden: [128],
    batch: 128,
    updates: 2,
    envs: 8,
    trainEvery: 1,
    gamma: 0.98,
    learningRate: 1e-3,
    tau: 0.05,
    targetEvery: 1,
    learningStarts: 200,
    capacity: 50_000,
    epsilon: signals.linear(1, 0.1, 0.8),
  });

const arm = { hidden: [16], batch: 16, learningStarts: 120, capacity: 2000, envs: 2 };
const reaches = {
  dqn: { algorithm: dqn({ hindsight: 3, ...arm, trainEvery: 2 }), env: source("BitFlip-v0", { bits: 6 }) },
  "dqn, prioritised": {
    algorithm: dqn({ hindsight: 3, ...arm, trainEvery: 2, prioritised: true }),
    env: source("BitFlip-v0", { bits: 6 }),
  },
  sac: { algorithm: sac({ hindsight: 2, ...arm }), env: source("GoalReach-v0") },
  "sac, final goals": {
    algorithm: sac({ hindsight: 1, hindsightGoals: "final", ...arm }),
    env: source("GoalReach-v0"),
  },
  td3: { algorithm: td3({ hindsight: 2, ...arm }), env: source("GoalReach-v0") },
  ddpg: { algorithm: ddpg({ hindsight: 2, ...arm }), env: source("GoalReach-v0") },
  tqc: { algorithm: tqc({ hindsight: 2, ...arm }), env: source("GoalReach-v0") },
};

describe("hindsight", () => {
  const success = (hindsight: number) => {
    const env = source("BitFlip-v0", { bits: 12 });
    const run = trained({ algorithm: flips(hindsight), env, steps: 16_000, seed: 1 });
    return evaluate(run, env, { episodes: 50 }).success;
  };

  it("finds goals that chance does not", () => {
    expect(success(4)).toBeGreaterThan(0.9);
  });

  it("learns nothing without it", { tags: ["slow"] }, () => {
    expect(success(0)).toBeLessThan(0.1);
  });

  it.each(Object.entries(reaches))("%s: resumes exactly, mid-episode", (_, { algorithm, env }) => {
    const options = { algorithm, env, steps: 600, seed: 4 };
    const whole = trained(options);
    const begun = new Run(options);
    begun.advance(300);
    const resumed = begun.fork();
    resumed.advance();
    expect(fingerprint(resumed)).toEqual(fingerprint(whole));
    expect(whole.metrics["replay/size"]).toBeGreaterThan(600);
    expect(whole.metrics["success/mean"]).toBeGreaterThanOrEqual(0);
  });

  it("is rejected without goals, or with n-step returns", () => {
    const start = (algorithm: ReturnType<typeof sac>, env = source("GoalReach-v0")) =>
      trained({ algorithm, env, steps: 10, seed: 1 });
    expect(() => start(sac({ hindsight: 4 }), aim())).toThrow(
      /sac: hindsight relabels goals, but .* has none/,
    );
    expect(() => start(sac({ hindsight: 4, nStep: 3 }))).toThrow("nStep is 3. Set nStep to 1");
    expect(() => start(rainbow({ hindsight: 4 }), source("BitFlip-v0"))).toThrow(
      "rainbow: hindsight needs single",
    );
    expect(() => sac({ hindsight: -1 })).toThrow("hindsight is -1");
    const { make, spec } = source("GoalReach-v0");
    const odd = {
      make,
      spec: { ...spec, observation: { kind: "box", shape: [10], low: -1, high: 1 } as const },
    };
    expect(() => start(sac({ hindsight: 4 }), odd)).toThrow("a dict of observation, achieved and desired");
  });
});
