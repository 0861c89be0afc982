import { setBackend } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { a2c } from "./a2c.ts";
import { aim, corridor, score, trained } from "./testing-envs.ts";
import { bandit, expectExactResume, expectSeeded, forbidding } from "./testing-on-policy.ts";

setBackend("wasm");

const small = { envs: 8, steps: 8, hidden: [16], learningRate: 5e-3, gamma: 0.9 };

describe("a2c", () => {
  it("finds the prize at the end of a corridor", () => {
    expect(score(trained({ algorithm: a2c(small), env: corridor(), steps: 20_000, seed: 1 }))).toBeCloseTo(1);
  });

  it("finds the better arm of a bandit, and prefers none with equal rewards", () => {
    const run = trained({ algorithm: a2c(small), env: bandit(), steps: 6000, seed: 1 });
    expect(run.metrics["return/mean"]).toBeGreaterThan(0.9);
    const same = trained({ algorithm: a2c(small), env: bandit(1, 1), steps: 6000, seed: 1 });
    expect(same.metrics["policy/entropy"]).toBeGreaterThan(0.6);
  });

  it("aims with continuous actions", () => {
    const run = trained({
      algorithm: a2c({ ...small, entropyWeight: 0 }),
      env: aim(),
      steps: 30_000,
      seed: 1,
    });
    expect(score(run)).toBeGreaterThan(-0.1);
  });

  it("never takes a masked action", () => {
    const run = trained({ algorithm: a2c(small), env: forbidding(), steps: 8000, seed: 1 });
    expect(score(run)).toBeGreaterThan(1);
  });

  it("resumes exactly, and equal seeds give equal runs", () => {
    expectExactResume(() => a2c(small), corridor(), 1024);
    expectSeeded(() => a2c(small), corridor(), 512);
  });
});
