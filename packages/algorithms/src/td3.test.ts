import { Run } from "@reins/core";
import { setBackend } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { td3 } from "./td3.ts";
import { aim, corridor, endless, fingerprint, score, trained } from "./testing-envs.ts";

// Runs without a compiler; tiny networks would not gain from one.
setBackend("wasm");

const small = {
  hidden: [16],
  batch: 32,
  learningStarts: 100,
  learningRate: 5e-3,
  criticRate: 1e-2,
  capacity: 1000,
  gamma: 0.9,
  tau: 0.05,
};

describe("td3", () => {
  it("learns to hit its target", () => {
    const run = trained({ algorithm: td3(small), env: aim(), steps: 1500, seed: 1 });
    expect(score(run)).toBeGreaterThan(-0.05);
  });

  it("learns nothing without rewards: values stay at 0", () => {
    const run = trained({ algorithm: td3(small), env: aim(0), steps: 600, seed: 1 });
    expect(Math.abs(run.metrics["value/mean"])).toBeLessThan(0.02);
  });

  it("bootstraps from truncated episodes", () => {
    const run = trained({
      algorithm: td3({ ...small, gamma: 0.5 }),
      env: endless("box"),
      steps: 1000,
      seed: 1,
    });
    expect(run.metrics["value/mean"]).toBeCloseTo(2, 1);
  });

  it.each([
    ["defaults", {}],
    ["correlated noise, two environments", { correlation: 0.8, envs: 2, policyEvery: 1 }],
  ])("continues exactly after saving and restoring (%s)", (_, extra) => {
    const options = { algorithm: td3({ ...small, ...extra }), env: aim(), steps: 800, seed: 3 };
    const whole = trained(options);
    const begun = new Run(options);
    begun.advance(400);
    const resumed = begun.fork();
    resumed.advance();
    expect(fingerprint(resumed)).toEqual(fingerprint(whole));
  });

  it("rejects discrete actions", () => {
    expect(() => trained({ algorithm: td3(), env: corridor(), steps: 10 })).toThrow("td3 needs box actions");
  });
});
