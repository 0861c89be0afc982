import { Run, text } from "@reins/core";
import { requireActingPolicy } from "@reins/core/policies";
import * as signals from "@reins/core/signals";
import { setBackend, type Tensor, type Tree, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { ppo } from "./ppo.ts";
import { aim, corridor, score, trained } from "./testing-envs.ts";
import {
  bandit,
  bright,
  cue,
  expectExactResume,
  expectSeeded,
  forbidding,
  hybrid,
  threeSteps,
} from "./testing-on-policy.ts";

// Runs without a compiler; tiny networks would not gain from one.
setBackend("wasm");

const small = { envs: 8, steps: 16, minibatches: 2, hidden: [16], learningRate: 1e-2, gamma: 0.9 };

describe("ppo", () => {
  it("finds the prize at the end of a corridor, and its value on the way", () => {
    const run = trained({ algorithm: ppo(small), env: corridor(), steps: 6000, seed: 1 });
    expect(score(run)).toBeCloseTo(1);
    expect(run.metrics["return/mean"]).toBeGreaterThan(0.9);
    expect(run.metrics["value/explained"]).toBeGreaterThan(0.5);
  });

  it("prefers neither of two arms with equal rewards", () => {
    const run = trained({ algorithm: ppo(small), env: bandit(1, 1), steps: 2000, seed: 1 });
    expect(run.metrics["policy/entropy"]).toBeGreaterThan(0.6);
  });

  it("never takes a masked action, and still finds the best of the others", () => {
    const run = trained({ algorithm: ppo(small), env: forbidding(), steps: 4000, seed: 1 });
    expect(score(run)).toBeCloseTo(3);
  });

  it("learns all parts of a composite action", () => {
    const run = trained({ algorithm: ppo({ ...small, logStd: -1 }), env: hybrid(), steps: 12_000, seed: 1 });
    expect(score(run)).toBeGreaterThan(1.8);
  });

  it.each([
    ["normal", {}],
    ["tanh", { continuous: "tanh" }],
    ["beta", { continuous: "beta" }],
    ["state-dependent noise", { noise: "state-dependent" }],
    ["correlated noise", { noise: "correlated" }],
  ] as const)("aims with continuous actions: %s", (_, options) => {
    const algorithm = ppo({ ...small, entropyWeight: 0, ...options });
    const run = trained({ algorithm, env: aim(), steps: 8000, seed: 1 });
    expect(score(run)).toBeGreaterThan(-0.05);
  });

  it("learns from images", () => {
    const sizes = { envs: 8, steps: 4, minibatches: 1, epochs: 2, hidden: [], learningRate: 1e-3 };
    const run = trained({ algorithm: ppo(sizes), env: bright(), steps: 320, seed: 1 });
    expect(score(run, 10)).toBeCloseTo(1);
  });

  it("remembers a cue with memory, and guesses without", () => {
    const options = { ...small, envs: 16, units: 16 };
    const guess = trained({ algorithm: ppo(options), env: cue(), steps: 6000, seed: 1 });
    expect(guess.metrics["return/mean"]).toBeLessThan(0.7);
    const run = trained({
      algorithm: ppo({ ...options, memory: "gru" }),
      env: cue(),
      steps: 10_000,
      seed: 1,
    });
    expect(score(run, 50)).toBeCloseTo(1);
  });

  it("learns values on an unknown scale", () => {
    const play = (options: object) =>
      trained({ algorithm: ppo({ ...small, ...options }), env: corridor(1000), steps: 6000, seed: 1 });
    const [plain, scaled] = [play({ clipValue: false }), play({ clipValue: false, popArt: true })];
    expect(score(scaled)).toBeCloseTo(1000);
    expect(scaled.metrics["value/explained"]).toBeGreaterThan(0.5);
    expect(plain.metrics["value/explained"]).toBeLessThan(0.2);
  });

  it("resumes exactly", () => {
    expectExactResume(() => ppo({ ...small, popArt: true }), corridor(1000), 512);
    expectExactResume(() => ppo({ ...small, learningRate: signals.linear(1e-2, 0) }), corridor(), 1024);
    expectExactResume(() => ppo({ ...small, memory: "lstm", units: 8 }), cue(), 512);
    expectExactResume(() => ppo({ ...small, noise: "correlated", maxKl: 0.01 }), aim(), 512);
    expectExactResume(() => ppo({ ...small, noise: "state-dependent" }), aim(), 512);
  });

  it("gives equal runs for equal seeds", () => {
    expectSeeded(() => ppo(small), corridor(), 1024);
  });

  it.each(["none", "gru", "mingru", "transformer"] as const)(
    "bootstraps from truncated episodes, and not from terminated ones; memory: %s",
    (memory) => {
      const sizes = { envs: 1, steps: 4, minibatches: 1, units: 8 };
      const play = (end: "terminated" | "truncated") => {
        const algorithm = ppo({ ...sizes, memory, lambda: 0, gamma: 0.5, learningRate: 0 });
        const run = new Run({ algorithm, env: threeSteps(end), steps: 4, seed: 0 });
        run.advance();
        return run;
      };
      const returns = (run: Run) => Array.from((run.process.inspect!().columns!.return as Tensor).data);
      const cut = play("truncated");
      // The next state of each step is valued with the memory there: three steps of an episode, then one of the
      // next.
      const { weights } = cut.process.acting!;
      const policy = requireActingPolicy(cut.process.acting!.policy, "test");
      let state: Tree = policy.start?.(1) ?? {};
      const expected = [0, 1, 2, 0].map((seen) => {
        const first = tensor([seen === 0]);
        ({ state } = policy.act(weights, { observation: tensor([[seen]]), first }, state));
        const next = { observation: tensor([[seen + 1]]), first: tensor([false]) };
        return 1 + 0.5 * policy.value!(weights, next, state).item();
      });
      returns(cut).forEach((g, t) => expect(g).toBeCloseTo(expected[t], 5));
      returns(play("terminated")).forEach((g, t) => expect(g).toBeCloseTo(t === 2 ? 1 : expected[t], 5));
    },
  );

  it("a KL limit stops it from moving", () => {
    const options = { ...small, epochs: 20, learningRate: 3e-2 };
    const kl = (more: object) =>
      trained({ algorithm: ppo({ ...options, ...more }), env: bandit(), steps: 128, seed: 1 }).metrics;
    const free = kl({});
    const held = kl({ maxKl: 1e-3 });
    expect(held["policy/stopped"]).toBeGreaterThan(0.5);
    expect(held["policy/kl"]).toBeLessThan(free["policy/kl"] / 4);
    expect(kl({ klWeight: 100 })["policy/kl"]).toBeLessThan(free["policy/kl"] / 4);
  });

  it("rejects incompatible options", () => {
    const start = (options: object, env = corridor()) => new Run({ algorithm: ppo(options), env, steps: 10 });
    expect(() => start({ envs: 3, steps: 5, minibatches: 4 })).toThrow(
      "cannot be cut into 4 equal minibatches. Set minibatches to 3 or 5, or make envs × steps a multiple of 4.",
    );
    expect(() => start({ envs: 2, minibatches: 4, memory: "gru" })).toThrow("minibatches of whole sequences");
    expect(() => start({ noise: "correlated" })).toThrow("needs continuous actions");
    expect(() => start({ clipp: 0.1 })).toThrow("Did you mean clip");
    const env = corridor();
    const spoken = { ...env, spec: { ...env.spec, action: text() } };
    expect(() => start({}, spoken)).toThrow("no distribution for text actions");
  });
});
