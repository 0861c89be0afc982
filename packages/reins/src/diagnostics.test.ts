import { dqn, ppo } from "@reins/algorithms";
import { type Algorithm, box, discrete, Run, type VectorEnv } from "@reins/core";
import { diagnose, History, reportFindings } from "@reins/core/diagnostics";
import { type OnPolicyParts, onPolicy } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { actorCritic } from "@reins/core/policies";
import * as signals from "@reins/core/signals";
import * as targets from "@reins/core/targets";
import { make } from "@reins/envs";
import { adam } from "@reins/nn";
import { type Tensor, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { train } from "./train.ts";

const cartPole = (rows: number) => make("CartPole-v1", { rows });

/** A run of an algorithm on environments that may be broken. */
function trained(algorithm: Algorithm, makeEnv: (rows: number) => VectorEnv = cartPole, steps = 8192): Run {
  const run = new Run({
    algorithm,
    env: { spec: makeEnv(1).spec, make: makeEnv },
    steps,
    seed: 3,
    tolerant: true,
  });
  run.advance();
  return run;
}

/** Changes the columns of an environment after every step. */
function tampered(change: (env: VectorEnv) => void): (rows: number) => VectorEnv {
  return (rows) => {
    const env = cartPole(rows);
    const { step, reset } = env;
    env.step = (action) => {
      step.call(env, action);
      change(env);
    };
    env.reset = (options) => {
      reset.call(env, options);
      change(env);
    };
    return env;
  };
}

/** PPO with one component replaced. */
const altered = (change: Partial<OnPolicyParts>): Algorithm => ({
  name: "altered",
  options: {},
  start: (context) => ({
    settings: {},
    ...onPolicy(
      {
        name: "altered",
        policy: actorCritic(context.spec, { hidden: [32] }) as never,
        target: targets.gae({ gamma: 0.99, lambda: 0.95 }),
        loss: losses.sum(
          losses.policyGradient({ ratio: losses.clipped(0.2), clip: 0.2 }),
          losses.valueError(),
        ),
        optimiser: adam(),
        learningRate: 1e-3,
        clipNorm: 0.5,
        envs: 8,
        steps: 64,
        epochs: 4,
        minibatches: 4,
        normalise: "minibatch",
        ...change,
      },
      context,
    ),
  }),
});

/** `steps` is a getter, which a spread would freeze. */
function living(algorithm: Algorithm): Algorithm {
  return {
    ...algorithm,
    start: (context) => {
      const inner = algorithm.start(context);
      return Object.defineProperties(
        {},
        {
          ...Object.getOwnPropertyDescriptors(inner),
          steps: { get: () => (inner.parts.rollout as { steps: number }).steps },
        },
      ) as never;
    },
  };
}

/** Findings for a history of metrics. */
function found(history: History, more: { solvedAt?: number } = {}): string[] {
  const spec = { id: "Costly-v0", observation: box([2]), action: discrete(2), ...more };
  const run = { options: { env: { spec } }, history, steps: 8, rounds: 8, process: { settings: {} } };
  return diagnose(run).map((f) => f.name);
}

const replayed = { prioritised: true, learningStarts: 256, capacity: 5000, hidden: [32] };
const small = { envs: 8, steps: 64, hidden: [32] };
const observation = (env: VectorEnv) => (env.observation as Tensor).data;

// Faults that the programs on the diagnostics' pages do not show; those run in the tests of the documentation.
const broken: [fault: string, name: string, run: () => Run][] = [
  [
    "a learning rate of 0 in one pass",
    "policy never changes",
    () => trained(ppo({ ...small, epochs: 1, minibatches: 1, learningRate: 0 })),
  ],
  [
    "a frozen observation in a replay buffer",
    "constant observation",
    () =>
      trained(
        dqn(replayed),
        tampered((env) => observation(env).fill(0.1)),
        2048,
      ),
  ],
  [
    "swapped ends in an off-policy method",
    "swapped terminated and truncated",
    () =>
      trained(
        dqn(replayed),
        tampered((env) => {
          const [a, b] = [env.terminated.data, env.truncated.data];
          for (let i = 0; i < a.length; i++) [a[i], b[i]] = [b[i], a[i]];
        }),
        2048,
      ),
  ],
];

describe("diagnose", () => {
  it.each(broken)("%s is named: %s", async (_fault, name, run) => {
    const findings = diagnose(run());
    // Yields to the test runner: training blocks the thread.
    await new Promise((done) => setTimeout(done, 0));
    expect(findings[0]?.name, reportFindings(findings)).toBe(name);
    expect(findings[0].saw.length).toBeGreaterThan(20);
    expect(findings[0].fix.length).toBeGreaterThan(20);
  });
  it("finds nothing wrong with healthy runs", async () => {
    const runs = [
      () => trained(ppo(small), cartPole, 30_000),
      () => trained(living(altered({}))),
      // The divergence is measured before the only update: it is 0 although the policy changes.
      () => trained(ppo({ ...small, epochs: 1, minibatches: 1 })),
      () => trained(ppo(small), (rows) => make("Pendulum-v1", { rows })),
      // The learning rate is 0 at its end, and was not before.
      () => trained(ppo({ ...small, learningRate: signals.linear(3e-3, 0) })),
      () => trained(dqn(replayed), cartPole, 4096),
    ];
    for (const run of runs) {
      expect(reportFindings(diagnose(run()))).toBe("");
      await new Promise((done) => setTimeout(done, 0));
    }
  });
  it("finds a collapse with negative returns", () => {
    const history = new History();
    for (let i = 0; i < 8; i++) history.note({ "policy/entropy": 1e-6, "return/mean": -200 });
    expect(found(history, { solvedAt: -10 })).toEqual(["entropy collapse"]);
    for (let i = 0; i < 64; i++) history.note({ "policy/entropy": 1e-6, "return/mean": -20 });
    expect(found(history, { solvedAt: -10 })).toEqual([]);
  });
  it("accepts a deterministic policy at its best return if no return counts as solved", () => {
    const history = new History();
    for (let i = 0; i < 8; i++) history.note({ "policy/entropy": 1e-6, "return/mean": i % 2 ? 76 : 78 });
    expect(found(history)).toEqual([]);
    for (let i = 0; i < 8; i++) history.note({ "policy/entropy": 1e-6, "return/mean": 30 });
    expect(found(history)).toEqual(["entropy collapse"]);
  });
  it("does not flag the critic if every episode has the maximum return", () => {
    const spec = { id: "Pole-v0", observation: box([2]), action: discrete(2), solvedAt: 475 };
    const columns = { value: tensor(new Float32Array(8)) };
    const said = (mean: number) => {
      const history = new History();
      for (let i = 0; i < 24; i++) history.note({ "return/mean": mean, "value/explained": -5 });
      const process = { settings: {}, inspect: () => ({ columns }) };
      return diagnose({ options: { env: { spec } }, history, steps: 8, rounds: 8, process } as never).map(
        (f) => f.name,
      );
    };
    expect(said(100)).toEqual(["uninformative critic"]);
    expect(said(500)).toEqual([]);
  });
  it("finds a lost return, and ignores fluctuations", () => {
    const went = (...values: number[]) => {
      const history = new History();
      for (const mean of values) history.note({ "return/mean": mean, "return/std": 20 });
      return found(history);
    };
    const rise = Array.from({ length: 16 }, (_, i) => 10 * i);
    expect(went(...rise)).toEqual([]);
    expect(went(...rise, ...Array(16).fill(5))).toEqual(["policy collapse"]);
    // Correct answers have reward 1, and none is left.
    const history = new History();
    for (let i = 0; i < 16; i++)
      history.note({ "return/mean": i < 4 ? 0.6 : 0, "return/std": i < 4 ? 0.49 : 0 });
    expect(found(history)).toEqual(["policy collapse"]);
    // Half of the return is left.
    expect(went(...rise, ...Array(16).fill(80))).toEqual([]);
    // Single episodes differ by more than that.
    expect(went(...Array.from({ length: 32 }, (_, i) => (i < 16 ? 12 : 0)))).toEqual([]);
  });
  it("a NaN loss stops the run, and training says why", async () => {
    const makeEnv = tampered((env) => (observation(env)[2] = Number.NaN));
    const place = { spec: makeEnv(1).spec, make: makeEnv };
    const run = new Run({ algorithm: ppo(small), env: place, steps: 2048 });
    expect(() => run.advance()).toThrow(/ppo on CartPole-v1: \S+ is NaN after 512 steps\.$/);
    await expect(train({ algorithm: ppo(small), env: place, steps: 2048 })).rejects.toThrow(
      /ppo on CartPole-v1: \S+ is NaN after 512 steps\. Likely cause: observations contain NaN/,
    );
  });
  it("survives saving and restoring", () => {
    const run = trained(ppo({ ...small, learningRate: 10 }));
    const copy = run.fork();
    expect(diagnose(copy)[0].name).toBe("steps too large");
    run.round();
    copy.round();
    expect(diagnose(copy)).toEqual(diagnose(run));
  });
});
