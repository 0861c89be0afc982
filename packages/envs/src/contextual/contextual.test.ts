import type { EnvContext, VectorEnv } from "@reins/core";
import { defaultRng } from "@reins/core/random";
import { columns, sampleValue, writeValue } from "@reins/core/spaces";
import type { Tensor } from "@reins/tensor";
import { describe, expect, test } from "vitest";
import { checkEnv } from "../check/check-env.ts";
import { showFinding } from "../check/finding.ts";
import { make } from "../registry.ts";
import { contextSide } from "./contexts.ts";
import { contextual } from "./index.ts";

const names = Object.keys(contextual) as (keyof typeof contextual)[];
const plain = {
  "ContextualCartPole-v0": "CartPole-v1",
  "ContextualPendulum-v0": "Pendulum-v1",
  "ContextualMountainCar-v0": "MountainCar-v0",
  "ContextualMountainCarContinuous-v0": "MountainCarContinuous-v0",
  "ContextualAcrobot-v0": "Acrobot-v1",
} as const;

const bits = (tensor: unknown) => [...(tensor as Tensor).data];

/** Observations and rewards of random play, row by row. */
function play(env: VectorEnv, steps: number): number[][] {
  const random = defaultRng(3);
  const action = columns(env.spec.action, env.rows);
  return Array.from({ length: steps }, () => {
    for (let row = 0; row < env.rows; row++)
      writeValue(env.spec.action, action, row, sampleValue(env.spec.action, random));
    env.step(action);
    return [...bits(env.observation), ...bits(env.reward)];
  });
}

describe.each(names)("%s", (id) => {
  test("equals the plain environment, bit for bit, with default values in the context", () => {
    // A named parameter makes rows differ, so that the kernels with parameters run.
    const own = make(id, { rows: 3, context: { gravity: gravityOf(id) } });
    const usual = make(plain[id], { rows: 3 });
    for (const env of [own, usual]) env.reset({ seed: 2 });
    expect(play(own, 250)).toEqual(play(usual, 250));
  });

  test("equals the plain environment with hidden contexts, and has no findings", () => {
    const env = make(id, { rows: 2, visible: false });
    const usual = make(plain[id], { rows: 2 });
    expect(env.spec.observation).toEqual(usual.spec.observation);
    const findings = checkEnv(() => make(id, { rows: 2, maxSteps: 20, visible: false, contexts: 3 }), {
      seeds: [1],
      steps: 50,
    });
    expect(findings.map(showFinding)).toEqual([]);
  });
});

const gravityOf = (id: string) => (id.includes("Mountain") ? 0.0025 : id.includes("Pendulum") ? 10 : 9.8);

test("gravity has an effect: Acrobot's links fall faster", () => {
  const swung = (gravity: number) => {
    const env = make("ContextualAcrobot-v0", { context: { gravity, torque: 0 } });
    env.reset({ seed: 1 });
    return play(env, 3).at(-1);
  };
  expect(swung(5)).not.toEqual(swung(15));
});

describe("observed contexts", () => {
  const range = [0.4, 0.8] as const;
  const make1 = (more = {}) =>
    make("ContextualCartPole-v0", { context: { poleLength: range, gravity: 9 }, ...more });

  test("are the sampled parameters, from -1 to 1, constant throughout an episode", () => {
    const env = make1({ maxSteps: 5 });
    env.reset({ seed: 1 });
    expect(env.spec.observation).toMatchObject({ shape: [5] });
    const seen = new Set<number>();
    let now = bits(env.observation)[4];
    for (let t = 0; t < 60; t++) {
      seen.add(now);
      play(env, 1);
      const ended = env.ended.length[0] > 0;
      if (ended) expect(bits(env.final)[4]).toBe(now);
      else expect(bits(env.observation)[4]).toBe(now);
      now = bits(env.observation)[4];
      expect(Math.abs(now)).toBeLessThanOrEqual(1);
    }
    expect(seen.size).toBe(12);
  });

  test("follow the context passed to reset", () => {
    const env = make1();
    env.reset({ seed: 1, context: { poleLength: 0.8 } });
    expect(bits(env.observation)[4]).toBeCloseTo(1);
    env.reset({ seed: 1, context: { poleLength: 0.6 } });
    expect(bits(env.observation)[4]).toBeCloseTo(0);
  });
});

describe("the two sides of a split", () => {
  const random = defaultRng(1);
  const drawn = (options: Parameters<typeof contextSide>[1], n = 2000): EnvContext[] => {
    const side = contextSide("Mine-v0", options, {});
    return Array.from({ length: n }, () => ({ ...side.draw(random) }));
  };
  const asText = (contexts: EnvContext[]) => new Set(contexts.map((c) => JSON.stringify(c)));

  test("share no context with a fixed number of each", () => {
    const options = { context: { length: [0, 1], mass: [1, 2] }, contexts: { train: 50, test: 20 } } as const;
    const train = asText(drawn({ ...options, split: "train" }));
    const test = asText(drawn({ ...options, split: "test" }));
    expect([train.size, test.size]).toEqual([50, 20]);
    for (const context of test) expect(train.has(context)).toBe(false);
    const others = asText(drawn({ ...options, contexts: { train: 50, seed: 1 } }));
    for (const context of others) expect(train.has(context)).toBe(false);
  });

  test("share no context where the test has its own ranges", () => {
    const options = { context: { length: [0, 1], mass: [1, 2] }, testContext: { length: [1.1, 2] } } as const;
    for (const { length } of drawn({ ...options, split: "train" })) expect(length).toBeLessThanOrEqual(1);
    for (const { length, mass } of drawn({ ...options, split: "test" })) {
      expect(length).toBeGreaterThanOrEqual(1.1);
      expect(mass).toBeGreaterThanOrEqual(1);
      expect(mass).toBeLessThanOrEqual(2);
    }
  });

  test("are rejected where they would overlap", () => {
    const context = { length: [0, 1], mass: [1, 2] } as const;
    expect(() => drawn({ context, testContext: { length: [1, 2] } })).toThrow(
      "overlaps the training contexts",
    );
    expect(() => drawn({ context, testContext: { force: [1, 2] } })).toThrow(
      "overlaps the training contexts",
    );
    expect(() => drawn({ context, split: "test" })).toThrow("no test contexts are defined");
    expect(() => drawn({ context: { length: 1 }, contexts: 3, split: "test" })).toThrow(
      "also occur in training",
    );
    expect(() => drawn({ context: { length: [2, 1] } })).toThrow("Use a number, or [low, high]");
    expect(() => drawn({ context, contexts: 0 })).toThrow("number of training contexts");
    expect(() => make("ContextualPendulum-v0", { context: { lenght: 1 } })).toThrow(
      "unknown parameter lenght. A context may have gravity, mass, length.",
    );
  });
});
