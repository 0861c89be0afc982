import { zeros } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import type { CurrentPolicy } from "./algorithm.ts";
import type { Env, EnvSpec } from "./env.ts";
import { evaluate } from "./evaluate.ts";
import { vectoriseMulti } from "./forms/multi.ts";
import type { MultiEnv } from "./forms/multi-env.ts";
import { vectorise } from "./forms/vectorise.ts";
import { defaultRng } from "./numpy/index.ts";
import type { ActingPolicy } from "./policy.ts";
import { box, discrete } from "./space.ts";

/** Episodes of 1 or 20 steps, by the seed first and then alternating; the return is the length. */
class Uneven implements Env {
  readonly spec: EnvSpec;
  private length = 1;
  private step_ = 0;
  private begun = 0;

  constructor(maxSteps: number | undefined = 100) {
    this.spec = {
      id: "Uneven-v0",
      observation: box([1]),
      action: discrete(2),
      ...(maxSteps ? { maxSteps } : {}),
    };
  }

  reset({ seed }: { seed?: number } = {}) {
    if (seed !== undefined) this.begun = seed;
    this.length = this.begun++ % 2 ? 20 : 1;
    this.step_ = 0;
    return { observation: [0] };
  }

  step(action: unknown) {
    // Action 1 never ends.
    const terminated = ++this.step_ >= this.length && action === 0;
    return { observation: [0], reward: 1, terminated, truncated: false };
  }
}

const always = (action: number): CurrentPolicy => {
  const policy: ActingPolicy = {
    host: true,
    init: () => ({}),
    act: (_, view, state) => ({
      action: zeros([(view.observation as ReturnType<typeof zeros>).shape[0]], "i32").set(action),
      state,
    }),
  };
  return { policy, weights: {} };
};
const source = (maxSteps?: number) => ({
  spec: new Uneven(maxSteps).spec,
  make: (rows: number) => vectorise(() => new Uneven(maxSteps), rows),
});

describe("evaluate", () => {
  it("plays exactly the requested number of episodes, short or long", () => {
    for (const [episodes, rows] of [
      [10, 4],
      [7, 3],
      [1, 64],
      [100, 64],
    ]) {
      const found = evaluate(always(0), source(), { episodes, rows });
      expect(found.count).toBe(episodes);
      expect(found.returns.length).toBe(episodes);
    }
  });

  it("does not favour short episodes", () => {
    // Counting those that end first would give a mean near 2: a row with short ones plays twenty times as many.
    const { mean, interval } = evaluate(always(0), source(), { episodes: 128, rows: 16 });
    expect(mean).toBeCloseTo(10.5, 5);
    expect(interval[0]).toBeLessThan(mean);
  });

  it("cuts off endless episodes", () => {
    const without = { spec: { ...new Uneven().spec, maxSteps: undefined }, make: source(0).make };
    const { mean, lengths } = evaluate(always(1), without, { episodes: 3, maxSteps: 50 });
    expect(mean).toBe(50);
    expect([...lengths]).toEqual([50, 50, 50]);
  });

  it("cuts off endless episodes whose limit is Infinity", () => {
    const { lengths, unfinished } = evaluate(always(1), source(Number.POSITIVE_INFINITY), {
      episodes: 3,
      maxSteps: 50,
    });
    expect([...lengths, unfinished]).toEqual([50, 50, 50, 3]);
  });

  it.each([
    [{ maxSteps: Number.NaN }, "maxSteps is NaN; it must be a number above 0, such as 10000"],
    [{ maxSteps: 0 }, "maxSteps is 0"],
    [{ rows: 2.5 }, "rows is 2.5; it must be a whole number from 1"],
  ])("rejects %j, which would cut episodes off", (options, message) => {
    expect(() => evaluate(always(1), source(), options)).toThrow(message);
  });

  it("counts the agents of one episode as one sample", () => {
    /** Agents that all get the reward 0 or 1 of their only step, by the episode's seed. */
    const shared = (names: readonly string[]) => {
      const make = (): MultiEnv => {
        let random = defaultRng(0);
        const all = <T>(value: T) => names.map(() => value);
        return {
          spec: { ...new Uneven().spec, agents: { names, order: "parallel" } },
          reset({ seed } = {}) {
            if (seed !== undefined) random = defaultRng(seed);
            return { observations: all([0]) };
          },
          step: () => ({
            observations: all([0]),
            rewards: all(random.integers(0, 2)),
            terminated: all(true),
            truncated: all(false),
            over: true,
          }),
        };
      };
      const place = { spec: make().spec, make: (copies: number) => vectoriseMulti(make, copies) };
      return evaluate(always(0), place, { episodes: 30, seed: 5 });
    };
    const [two, eight] = [shared(["a", "b"]), shared([..."abcdefgh"])];
    expect(two.mean).toBe(eight.mean);
    const width = ({ interval: [low, high] }: typeof two) => high - low;
    expect(width(eight)).toBeCloseTo(width(two), 10);
    expect(width(two)).toBeGreaterThan(0.2);
  });

  it("waits for agents that have left, and counts only whole episodes of theirs", () => {
    /** The first agent leaves after one step and after nine in turn, the second stays for ten; each step is worth 1. */
    const leaving = (): MultiEnv => {
      let [step, stay] = [0, 1];
      return {
        spec: { ...new Uneven(10).spec, agents: { names: ["a", "b"], order: "parallel" } },
        reset() {
          [step, stay] = [0, 10 - stay];
          return { observations: [[0], [0]] };
        },
        step: () => {
          step++;
          return {
            observations: [step < stay ? [0] : null, [0]],
            alive: [step < stay, true],
            rewards: [1, 1],
            terminated: [step === stay, step === 10],
            truncated: [false, false],
            over: step === 10,
          };
        },
      };
    };
    const place = { spec: leaving().spec, make: (copies: number) => vectoriseMulti(leaving, copies) };
    const { returns, unfinished } = evaluate(always(0), place, { episodes: 4, rows: 1 });
    expect(unfinished).toBeUndefined();
    expect([...returns]).toEqual([9, 1, 9, 1, 10, 10, 10, 10]);
  });

  it("is equal for equal seeds", () => {
    const first = evaluate(always(0), source(), { episodes: 9, seed: 3 });
    expect(evaluate(always(0), source(), { episodes: 9, seed: 3 }).returns).toEqual(first.returns);
  });

  it("refuses an environment that makes another number of rows", () => {
    const one = { spec: new Uneven().spec, make: () => source().make(1) };
    expect(() => evaluate(always(0), one, { episodes: 3 })).toThrow(
      "Uneven-v0: its function made 1 row, but 3 were requested",
    );
  });

  it("says what is missing", () => {
    expect(() => evaluate(always(0))).toThrow("the environment is missing");
    expect(() => evaluate(always(0), source(), { episodes: 0 })).toThrow(
      "episodes is 0; it must be a whole number from 1",
    );
  });
});
