import { discrete, type Env, Run } from "@reins/core";
import { evaluate } from "@reins/core/evaluations";
import * as signals from "@reins/core/signals";
import { tabularModel } from "@reins/envs";
import type { Tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { exactReturn, expectExact, greedyOf, source, sourceOf } from "./tabular/testing.ts";
import { blackjackReturn } from "./tabular/testing-blackjack.ts";
import { tabularQ } from "./tabular-q.ts";
import { tabularTuned } from "./tuned-settings/tabular.ts";

/** A run with the tuned settings of an environment, on a seed that was not used for tuning. */
function tunedRun(id: string, seed: number) {
  const { options, steps } = tabularTuned[`q/${id}`];
  const run = new Run({ algorithm: tabularQ(options), env: source(id), steps, seed });
  run.advance();
  return { run, policy: greedyOf(run) };
}

/** A path of states with one action and a reward at its end. */
const corridor = (length: number): Env => {
  let at = 0;
  return {
    spec: { id: "Corridor-v0", observation: discrete(length), action: discrete(1) },
    reset: () => ({ observation: (at = 0) }),
    step: () => {
      const terminated = ++at === length;
      return {
        observation: Math.min(at, length - 1),
        reward: terminated ? 1 : 0,
        terminated,
        truncated: false,
      };
    },
    save: () => at,
    restore: (from) => void (at = from as number),
  };
};

/** The table of a run on a corridor after some steps. */
function corridorValues(options: Parameters<typeof tabularQ>[0], steps: number): number[] {
  const algorithm = tabularQ({ learningRate: 1, gamma: 0.5, epsilon: 0, round: 4, ...options });
  const run = new Run({ algorithm, env: sourceOf(() => corridor(4)), steps });
  run.advance();
  return [...(run.process.acting!.weights as { value: Tensor }).value.data];
}

describe("q finds the optimal policy", () => {
  it.each([
    ["FrozenLake-v1", [100, 101, 102]],
    ["Taxi-v4", [100]],
  ])("of %s, by its exact value", (id, seeds) => {
    const gamma = 0.99;
    const model = tabularModel(id);
    const best = exactReturn(model, { gamma });
    for (const seed of seeds) {
      const { policy } = tunedRun(id, seed);
      expect(exactReturn(model, { gamma, policy })).toBeCloseTo(best, 6);
    }
  });

  it("of CliffWalking-v1, in 13 steps", () => {
    for (const seed of [100, 101, 102]) {
      const { run, policy } = tunedRun("CliffWalking-v1", seed);
      expect(exactReturn(tabularModel("CliffWalking-v1"), { policy })).toBe(-13);
      expect(evaluate(run, undefined, { episodes: 5 }).returns).toEqual(new Float64Array(5).fill(-13));
    }
  });

  it("of Blackjack-v1 nearly, whose observation is a tuple", () => {
    const { options } = tabularTuned["q/Blackjack-v1"];
    const run = new Run({
      algorithm: tabularQ(options),
      env: source("Blackjack-v1"),
      steps: 200_000,
      seed: 100,
    });
    run.advance();
    const value = blackjackReturn(greedyOf(run));
    expect(blackjackReturn() - value).toBeLessThan(0.006);
    const { mean, interval } = evaluate(run, undefined, { episodes: 2000 });
    expect(Math.abs(mean - value)).toBeLessThan(1.5 * (interval[1] - mean));
  });
});

describe("updates from a step", () => {
  it("one step: each pass through the corridor propagates the reward by one state", () => {
    expect(corridorValues({}, 4)).toEqual([0, 0, 0, 1]);
    expect(corridorValues({}, 8)).toEqual([0, 0, 0.5, 1]);
    expect(corridorValues({ target: "sarsa" }, 8)).toEqual([0, 0, 0.5, 1]);
    expect(corridorValues({ target: "expected" }, 8)).toEqual([0, 0, 0.5, 1]);
  });

  it("n-step returns and traces propagate it at once", () => {
    expect(corridorValues({ nStep: 2 }, 4)).toEqual([0, 0, 0.5, 1]);
    expect(corridorValues({ nStep: 9 }, 4)).toEqual([0.125, 0.25, 0.5, 1]);
    expect(corridorValues({ traces: "replacing", lambda: 1 }, 4)).toEqual([0.125, 0.25, 0.5, 1]);
    expect(corridorValues({ traces: "accumulating", lambda: 0.5 }, 4)).toEqual([1 / 64, 1 / 16, 1 / 4, 1]);
  });

  it("the learning rate of an entry falls with its visits", () => {
    const values = corridorValues({ learningRate: 0.5, decay: 1, initial: 1, gamma: 0 }, 8);
    // Towards 0 by a half, then by a quarter.
    expect(values.slice(0, 3)).toEqual([0.375, 0.375, 0.375]);
  });

  it("bootstraps from truncated episodes", () => {
    const endless = (): Env => ({
      spec: { id: "Endless-v0", observation: discrete(1), action: discrete(2), maxSteps: 3 },
      reset: () => ({ observation: 0 }),
      step: () => ({ observation: 0, reward: 1, terminated: false, truncated: false }),
    });
    for (const options of [
      {},
      { nStep: 5 },
      { target: "sarsa" as const },
      { traces: "replacing" as const },
    ]) {
      const algorithm = tabularQ({ learningRate: 0.1, gamma: 0.9, epsilon: 0.5, ...options });
      const run = new Run({ algorithm, env: sourceOf(endless), steps: 20_000 });
      run.advance();
      const { value } = run.process.acting!.weights as { value: Tensor };
      for (const v of value.data) expect(v).toBeCloseTo(10, 3);
    }
  });

  it("SARSA learns the safe path along the cliff, because its targets include exploration", () => {
    const learned = (target: "q" | "sarsa" | "expected") => {
      const algorithm = tabularQ({ target, epsilon: 0.1, gamma: 1, learningRate: signals.linear(0.5, 0.01) });
      const run = new Run({ algorithm, env: source("CliffWalking-v1"), steps: 60_000, seed: 100 });
      run.advance();
      return run.metrics["return/mean"];
    };
    const q = learned("q");
    expect(learned("sarsa")).toBeGreaterThan(q + 10);
    expect(learned("expected")).toBeGreaterThan(q + 10);
  });

  it("double Q-learning is not drawn to noise (Sutton and Barto, example 6.7)", () => {
    const share = (double: boolean) => {
      let lefts = 0;
      let starts = 0;
      for (let seed = 100; seed < 160; seed++) {
        const note = (left: boolean) => {
          starts++;
          if (left) lefts++;
        };
        const env = sourceOf(() => biased(seed, note));
        new Run({
          algorithm: tabularQ({ double, epsilon: 0.1, gamma: 1, round: 10 }),
          env,
          steps: 300,
          seed,
        }).advance();
      }
      return lefts / starts;
    };
    // Left has mean reward -0.1, so that 5% is the share from epsilon alone.
    const [single, double] = [share(false), share(true)];
    expect(single).toBeGreaterThan(0.4);
    expect(double).toBeLessThan(single - 0.15);
  });
});

/** From A, right terminates with 0; left leads to B, where ten actions have mean reward -0.1 and much noise. */
function biased(seed: number, note: (left: boolean) => void): Env {
  let at = 0;
  let noise = seed * 7919 + 1;
  const uniform = () => (noise = (noise * 48271) % 2147483647) / 2147483647;
  return {
    spec: { id: "Biased-v0", observation: discrete(2), action: discrete(10) },
    reset: () => ({ observation: (at = 0) }),
    step(action) {
      if (at === 1) {
        const normal = Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
        return { observation: 0, reward: normal - 0.1, terminated: true, truncated: false };
      }
      note(action === 0);
      if (action === 0) return { observation: (at = 1), reward: 0, terminated: false, truncated: false };
      return { observation: 0, reward: 0, terminated: true, truncated: false };
    },
    mask: () => (at === 1 ? new Array(10).fill(1) : [1, 1, 0, 0, 0, 0, 0, 0, 0, 0]),
  };
}

describe("a run of q", () => {
  it.each([
    {},
    { target: "sarsa" as const, envs: 3 },
    { target: "expected" as const, double: true, decay: 0.5 },
    { nStep: 3, double: true },
    { traces: "replacing" as const, epsilon: 0.2, envs: 2 },
  ])("is reproducible by seed and resumes exactly: %o", (options) => {
    expectExact({
      algorithm: tabularQ({ round: 50, ...options }),
      env: source("FrozenLake-v1"),
      steps: 3000,
    });
  });

  it("rejects unsupported environments and options", () => {
    const start = (id: string, options = {}) =>
      new Run({ algorithm: tabularQ(options), env: source(id), steps: 10 });
    expect(() => start("CartPole-v1")).toThrow(
      /^q: observations of CartPole-v1 are Box\(.*\), which is not discrete; q needs discrete observations. Use dqn/,
    );
    expect(() => start("Pendulum-v1")).toThrow("q: Pendulum-v1 has box actions; q needs discrete actions.");
    expect(() => start("Taxi-v4", { double: true, traces: "replacing" })).toThrow(
      "a trace belongs to one table",
    );
    expect(() => start("Taxi-v4", { nStep: 3, traces: "replacing" })).toThrow("Set one of them.");
    expect(() => start("Taxi-v4", { target: "Q" })).toThrow(
      'target is "Q". Did you mean q? It must be one of q, sarsa, expected.',
    );
    expect(() => start("Taxi-v4", { envs: 0 })).toThrow(
      "envs is 0; it must be a whole number from 1, such as 1.",
    );
  });
});
