import { setBackend } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { reinforce } from "./reinforce.ts";
import { aim, corridor, score, trained } from "./testing-envs.ts";
import { bandit, expectExactResume, expectSeeded, forbidding } from "./testing-on-policy.ts";

setBackend("wasm");

const small = { episodes: 16, hidden: [16], learningRate: 2e-2, gamma: 0.9 };

describe("reinforce", () => {
  it.each([true, false])("finds the prize at the end of a corridor; baseline: %s", (baseline) => {
    const run = trained({
      algorithm: reinforce({ ...small, baseline }),
      env: corridor(),
      steps: 5000,
      seed: 1,
    });
    expect(score(run)).toBeCloseTo(1);
    expect("loss/value" in run.metrics).toBe(baseline);
  });

  it("finds the better arm of a bandit, and prefers none with equal rewards", () => {
    const run = trained({ algorithm: reinforce(small), env: bandit(), steps: 1500, seed: 1 });
    expect(run.metrics["return/mean"]).toBeGreaterThan(0.9);
    const options = { ...small, baseline: false };
    const same = trained({ algorithm: reinforce(options), env: bandit(1, 1), steps: 1500, seed: 1 });
    expect(same.metrics["policy/entropy"]).toBeGreaterThan(0.6);
  });

  it("aims with continuous actions", () => {
    const run = trained({ algorithm: reinforce(small), env: aim(), steps: 8000, seed: 1 });
    expect(score(run)).toBeGreaterThan(-0.1);
  });

  it("rejects several agents", () => {
    const env = corridor();
    const agents = { names: ["one", "other"], order: "turns" as const };
    const several = { ...env, spec: { ...env.spec, agents } };
    expect(() => trained({ algorithm: reinforce(small), env: several, steps: 10 })).toThrow(
      "Corridor-v0: it has 2 agents, but methods that learn from whole episodes support one.",
    );
  });

  it("never takes a masked action", () => {
    const run = trained({ algorithm: reinforce(small), env: forbidding(), steps: 3000, seed: 1 });
    expect(score(run)).toBeCloseTo(3);
  });

  it("resumes exactly, and equal seeds give equal runs", () => {
    expectExactResume(() => reinforce(small), corridor(), 600);
    expectSeeded(() => reinforce(small), aim(), 100);
  });
});
