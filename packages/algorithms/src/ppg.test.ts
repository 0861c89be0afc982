import { Run } from "@reins/core";
import { leaves, setBackend, type Tree } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { ppg } from "./ppg.ts";
import { ppo } from "./ppo.ts";
import { aim, corridor, score, trained } from "./testing-envs.ts";
import { expectExactResume, expectSeeded, forbidding } from "./testing-on-policy.ts";

setBackend("wasm");

const small = {
  envs: 8,
  steps: 16,
  minibatches: 2,
  auxiliaryEvery: 4,
  auxiliaryMinibatches: 4,
  hidden: [16],
  learningRate: 1e-2,
  auxiliaryRate: 5e-3,
  gamma: 0.9,
};

describe("ppg", () => {
  it("finds the prize at the end of a corridor", () => {
    const run = trained({ algorithm: ppg({ ...small, epochs: 2 }), env: corridor(), steps: 12_000, seed: 1 });
    expect(score(run)).toBeCloseTo(1);
    expect(run.metrics["value/explained"]).toBeGreaterThan(0.5);
  });

  it("in an auxiliary phase the policy network learns to predict returns, and acts as before", () => {
    const run = new Run({
      algorithm: ppg({ ...small, auxiliaryEpochs: 20 }),
      env: corridor(),
      steps: 1e6,
      seed: 1,
    });
    const guesses = () => {
      const weights = run.process.parts.weights as { actor: Tree; auxiliary: Tree };
      return leaves(weights.auxiliary).flatMap((t) => [...t.data]);
    };
    const first = guesses();
    for (let i = 0; i < 3; i++) run.round();
    // Only that phase changes it.
    expect(guesses()).toEqual(first);
    expect(run.metrics["loss/auxiliary"]).toBe(0);
    run.round();
    expect(guesses()).not.toEqual(first);
    const early = run.metrics["loss/auxiliary"];
    expect(early).toBeGreaterThan(0);
    for (let i = 0; i < 36; i++) run.round();
    expect(run.metrics["loss/auxiliary"]).toBeLessThan(early / 2);
    expect(run.metrics["policy/auxiliary-kl"]).toBeLessThan(5e-3);
  });

  it("rounds before the first phase equal PPO with an unclipped critic", () => {
    const losses = (run: Run) => [
      run.metrics["loss/policy"],
      run.metrics["loss/value"],
      run.metrics["policy/kl"],
    ];
    const { auxiliaryEvery, auxiliaryMinibatches, auxiliaryRate, ...common } = small;
    const play = (algorithm: ReturnType<typeof ppo>) =>
      losses(trained({ algorithm, env: corridor(), steps: 3 * 128, seed: 1 }));
    const plain = play(ppo({ ...common, epochs: 1, clipValue: false }));
    play(ppg(small)).forEach((x, i) => void expect(x).toBeCloseTo(plain[i], 6));
  });

  it("aims with continuous actions, and never takes a masked one", () => {
    const options = { ...small, entropyWeight: 0, epochs: 4 };
    expect(score(trained({ algorithm: ppg(options), env: aim(), steps: 10_000, seed: 1 }))).toBeGreaterThan(
      -0.1,
    );
    expect(score(trained({ algorithm: ppg(small), env: forbidding(), steps: 6000, seed: 1 }))).toBeCloseTo(3);
  });

  it("resumes exactly, between phases too, and equal seeds give equal runs", () => {
    expectExactResume(() => ppg(small), corridor(), 1536);
    expectSeeded(() => ppg(small), corridor(), 1024);
  });

  it("rejects incompatible options", () => {
    const start = () =>
      new Run({ algorithm: ppg({ ...small, auxiliaryMinibatches: 7 }), env: corridor(), steps: 10 });
    expect(start).toThrow("512 steps cannot be split into 7 equal minibatches");
  });
});
