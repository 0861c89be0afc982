import { Run } from "@reins/core";
import { setBackend } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { grpo } from "./grpo.ts";
import { aim, corridor, score, trained } from "./testing-envs.ts";
import { bandit, expectExactResume, expectSeeded, forbidding } from "./testing-on-policy.ts";

setBackend("wasm");

const small = { groups: 4, groupSize: 8, hidden: [16], learningRate: 1e-2 };

describe("grpo", () => {
  it("finds the prize at the end of a corridor", () => {
    const run = trained({ algorithm: grpo(small), env: corridor(), steps: 6000, seed: 1 });
    expect(score(run)).toBeCloseTo(1);
    expect(run.metrics["return/mean"]).toBeGreaterThan(0.9);
  });

  it("learns nothing where all samples of a group have the same reward", () => {
    const run = new Run({ algorithm: grpo(small), env: bandit(1, 1), steps: 200, seed: 1 });
    run.round();
    const before = Array.from(weightsOf(run));
    run.advance();
    expect(Array.from(weightsOf(run))).toEqual(before);
  });

  it("compares samples of the same initial state: the target is the group's own", () => {
    const run = trained({ algorithm: grpo(small), env: aim(), steps: 8000, seed: 1 });
    expect(score(run)).toBeGreaterThan(-0.1);
  });

  it("never takes a masked action", () => {
    const run = trained({ algorithm: grpo(small), env: forbidding(), steps: 3000, seed: 1 });
    expect(score(run)).toBeCloseTo(3);
  });

  it("stays near the initial weights with a KL penalty", () => {
    const options = { env: bandit(), steps: 2000, seed: 1 };
    const free = trained({ algorithm: grpo({ ...small, klWeight: 1e-6 }), ...options });
    const tied = trained({ algorithm: grpo({ ...small, klWeight: 10 }), ...options });
    expect(free.metrics["policy/reference-kl"]).toBeGreaterThan(0.15);
    expect(tied.metrics["policy/reference-kl"]).toBeLessThan(0.05);
  });

  it("resumes exactly, and equal seeds give equal runs", () => {
    expectExactResume(() => grpo(small), corridor(), 1000);
    expectExactResume(() => grpo({ ...small, klWeight: 0.1 }), corridor(), 1000);
    expectSeeded(() => grpo(small), aim(), 100);
  });
});

function weightsOf(run: Run): ArrayLike<number> {
  const { actor } = run.process.acting!.weights as unknown as {
    actor: { layers: { weight: { data: Float32Array } }[] };
  };
  return actor.layers[0].weight.data;
}
