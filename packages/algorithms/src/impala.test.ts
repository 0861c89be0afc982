import { Run } from "@reins/core";
import { leaves, setBackend } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { a2c } from "./a2c.ts";
import { impala } from "./impala.ts";
import { aim, corridor, score, trained } from "./testing-envs.ts";
import { bandit, cue, expectExactResume, expectSeeded, forbidding } from "./testing-on-policy.ts";

setBackend("wasm");

const small = { envs: 8, steps: 16, hidden: [16], learningRate: 5e-3, gamma: 0.9 };

describe("impala", () => {
  it.each([
    ["fresh steps", {}],
    ["several epochs", { epochs: 3, minibatches: 2 }],
    ["actors four updates behind", { lag: 4 }],
    ["Adam", { optimiser: "adam" }],
  ] as const)("finds the prize at the end of a corridor: %s", (_, options) => {
    const run = trained({
      algorithm: impala({ ...small, ...options }),
      env: corridor(),
      steps: 20_000,
      seed: 1,
    });
    expect(score(run)).toBeCloseTo(1);
  });

  it("equals A2C with fresh steps", () => {
    const play = (algorithm: ReturnType<typeof impala>) => {
      const { metrics } = trained({ algorithm, env: corridor(), steps: 4 * 128, seed: 1 });
      return ["loss/policy", "loss/value", "policy/entropy", "gradient/norm"].map((name) => metrics[name]);
    };
    const plain = play(a2c(small));
    play(impala(small)).forEach((x, i) => void expect(x).toBeCloseTo(plain[i], 5));
  });

  it("actors sync every few updates, and their steps are corrected", () => {
    const run = new Run({ algorithm: impala({ ...small, lag: 3 }), env: corridor(), steps: 1e6, seed: 1 });
    const same = () => {
      const { weights, acting } = run.process.parts;
      const numbers = (tree: unknown) =>
        leaves(tree as Parameters<typeof leaves>[0]).flatMap((t) => [...t.data]);
      return JSON.stringify(numbers(weights)) === JSON.stringify(numbers(acting));
    };
    const seen = Array.from({ length: 6 }, () => {
      run.round();
      return [same(), run.metrics["policy/kl"] > 1e-9];
    });
    expect(seen).toEqual([
      [false, false],
      [false, true],
      [true, true],
      [false, false],
      [false, true],
      [true, true],
    ]);
  });

  it("aims with continuous actions, and never takes a masked one", () => {
    const options = { ...small, entropyWeight: 0 };
    expect(
      score(trained({ algorithm: impala(options), env: aim(), steps: 30_000, seed: 1 })),
    ).toBeGreaterThan(-0.1);
    expect(score(trained({ algorithm: impala(small), env: forbidding(), steps: 8000, seed: 1 }))).toBeCloseTo(
      3,
    );
  });

  it("remembers a cue", () => {
    const options = {
      ...small,
      envs: 16,
      units: 16,
      memory: "gru",
      optimiser: "adam",
      learningRate: 1e-2,
    } as const;
    expect(
      score(trained({ algorithm: impala(options), env: cue(), steps: 20_000, seed: 1 }), 50),
    ).toBeCloseTo(1);
  });

  it("resumes exactly, and equal seeds give equal runs", () => {
    expectExactResume(() => impala({ ...small, lag: 3, epochs: 2 }), corridor(), 1024);
    expectExactResume(() => impala({ ...small, memory: "mingru", units: 8 }), cue(), 512);
    expectSeeded(() => impala(small), bandit(), 512);
  });
});
