import { Run } from "@reins/core";
import * as signals from "@reins/core/signals";
import { make } from "@reins/envs";
import { setBackend } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { aim, corridor, score, trained } from "./testing-envs.ts";
import { expectExactResume, expectSeeded, forbidding } from "./testing-on-policy.ts";
import { trpo } from "./trpo.ts";

setBackend("wasm");

const small = {
  envs: 8,
  steps: 32,
  minibatches: 2,
  hidden: [16],
  learningRate: 5e-3,
  gamma: 0.9,
  maxKl: 0.03,
};

describe("trpo", () => {
  it("finds the prize at the end of a corridor, and never exceeds its KL limit", () => {
    const run = new Run({ algorithm: trpo(small), env: corridor(), steps: 6000, seed: 1 });
    const moves: number[] = [];
    while (!run.finished) {
      run.round();
      moves.push(run.metrics["policy/kl"]);
    }
    expect(score(run)).toBeCloseTo(1);
    expect(Math.max(...moves)).toBeLessThanOrEqual(0.03);
    // It nearly reaches the limit, where there is something to learn.
    expect(Math.max(...moves)).toBeGreaterThan(0.02);
  });

  it("aims with continuous actions", () => {
    const run = trained({ algorithm: trpo({ ...small, steps: 64 }), env: aim(), steps: 20_000, seed: 1 });
    expect(score(run)).toBeGreaterThan(-0.05);
  });

  it("never takes a masked action", () => {
    const run = trained({ algorithm: trpo(small), env: forbidding(), steps: 6000, seed: 1 });
    expect(score(run)).toBeCloseTo(3);
  });

  it("learns to balance a pole", () => {
    const env = {
      spec: make("CartPole-v1", { rows: 1 }).spec,
      make: (rows: number) => make("CartPole-v1", { rows }),
    };
    const options = { hidden: [32], learningRate: 3e-3, gamma: 0.98, maxKl: 0.02, minibatches: 8 };
    const run = trained({ algorithm: trpo(options), env, steps: 40_000, seed: 1 });
    expect(score(run, 5)).toBeGreaterThan(400);
  });

  it("resumes exactly, and equal seeds give equal runs", () => {
    expectExactResume(() => trpo({ ...small, maxKl: signals.linear(0.05, 0.01) }), corridor(), 1024);
    expectSeeded(() => trpo(small), corridor(), 512);
  });
});
