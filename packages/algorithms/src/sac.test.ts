import { multiDiscrete, Run, type TrainState } from "@reins/core";
import { setBackend, sub, type Tensor, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { actorObjective, criticTarget, sac } from "./sac.ts";
import { aim, corridor, endless, fingerprint, score, trained } from "./testing-envs.ts";

// Runs without a compiler; tiny networks would not gain from one.
setBackend("wasm");

const small = {
  hidden: [16],
  batch: 32,
  learningStarts: 100,
  learningRate: 5e-3,
  criticRate: 1e-2,
  temperatureRate: 1e-2,
  capacity: 1000,
  gamma: 0.9,
  tau: 0.05,
};
const temperature = (run: Run) =>
  Math.exp(
    (run.process.parts.state as { soft: { logAlpha: TrainState<Tensor> } }).soft.logAlpha.weights.item(),
  );

it("has the critic target and the actor objective of the paper", () => {
  // α log π(a|s) is 0.5 and −1 for the two actions.
  const entropyTerm = tensor([0.5, -1]);
  const actions = { entropy: tensor([1, 1]), softValue: (q: Tensor) => sub(q, entropyTerm) };
  // The second transition terminates: γ (1 − d) is 0.
  const [reward, discount] = [tensor([1, 2]), tensor([0.5, 0])];
  const batch = { observation: reward, action: reward, next: reward, reward, discount };
  expect(criticTarget(batch, actions, tensor([3, 4])).toArray()).toEqual([2.25, 2]);
  expect(actorObjective(actions, tensor([3, 4])).toArray()).toEqual([-2.5, -5]);
});

describe("sac", () => {
  it("learns to hit its target, with continuous actions", () => {
    const run = trained({ algorithm: sac(small), env: aim(), steps: 1500, seed: 1 });
    // Random actions score -5/3: a number between -2 and 2 against one between -1 and 1.
    expect(score(run)).toBeGreaterThan(-0.05);
    expect(temperature(run)).toBeLessThan(0.5);
  });

  it("finds the prize, with discrete actions", () => {
    const run = trained({
      algorithm: sac({ ...small, targetShare: 0.3 }),
      env: corridor(),
      steps: 1200,
      seed: 1,
    });
    expect(score(run)).toBeCloseTo(1, 9);
  });

  it("stays random without rewards", () => {
    const options = { ...small, automatic: false, temperature: 0.1 };
    const run = trained({ algorithm: sac(options), env: endless("discrete"), steps: 800, seed: 1 });
    expect(run.metrics["policy/entropy"]).toBeGreaterThan(0.99 * Math.log(2));
    const still = trained({ algorithm: sac(options), env: aim(0), steps: 800, seed: 1 });
    // A uniform action has entropy log 2 between -1 and 1.
    expect(still.metrics["policy/entropy"]).toBeGreaterThan(0.5);
  });

  it("bootstraps from truncated episodes", () => {
    const options = { ...small, gamma: 0.5, automatic: false, temperature: 0.001 };
    const run = trained({ algorithm: sac(options), env: endless("box"), steps: 1000, seed: 1 });
    expect(run.metrics["value/mean"]).toBeCloseTo(2, 1);
  });

  it("never takes a masked action", () => {
    const run = trained({ algorithm: sac(small), env: corridor(1, { masked: true }), steps: 400, seed: 1 });
    expect(run.metrics["return/mean"]).toBe(0);
    expect(score(run)).toBe(0);
  });

  it("reaches the target entropy of the allowed actions", () => {
    // One of two actions is masked: entropy is always 0, and so is the target.
    const run = trained({ algorithm: sac(small), env: corridor(1, { masked: true }), steps: 400, seed: 1 });
    expect(run.metrics["policy/entropy"]).toBeCloseTo(0, 6);
    expect(temperature(run)).toBeCloseTo(1, 6);
  });

  it.each([
    ["updates at every step", {}],
    ["a delayed actor, correlated noise, three steps", { policyEvery: 2, correlation: 0.5, nStep: 3 }],
    ["two environments, two updates at once", { envs: 2, updates: 2 }],
  ])("continues exactly after saving and restoring (%s)", (_, extra) => {
    const options = { algorithm: sac({ ...small, ...extra }), env: aim(), steps: 800, seed: 3 };
    const whole = trained(options);
    const begun = new Run(options);
    begun.advance(400);
    const resumed = begun.fork();
    resumed.advance();
    expect(fingerprint(resumed)).toEqual(fingerprint(whole));
  });

  it("rejects other actions", () => {
    const env = corridor();
    const other = { ...env, spec: { ...env.spec, action: multiDiscrete([2, 2]) } };
    expect(() => trained({ algorithm: sac(), env: other, steps: 10 })).toThrow(
      "needs box or discrete actions",
    );
  });
});
