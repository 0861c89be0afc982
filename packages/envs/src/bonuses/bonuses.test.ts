import { box, discrete, type Env, type VectorEnv } from "@reins/core";
import { vectorise } from "@reins/core/forms";
import { columns } from "@reins/core/spaces";
import type { Tensor } from "@reins/tensor";
import { describe, expect, test, vi } from "vitest";
import { make } from "../registry.ts";
import { counts, disagreement, type IntrinsicReward, icm, rnd } from "./index.ts";

// No C compiler is needed: these tests are about numbers.
vi.stubEnv("REINS_BACKEND", "wasm");

/** Observes the last action, 0 to 3, and a random number. */
function pad(noise = 0): Env<Float32Array, number> {
  let [place, draw, steps] = [0, 1, 0];
  const look = () => {
    draw = (draw * 16807) % 2147483647;
    return Float32Array.of(place / 3, noise * ((2 * draw) / 2147483647 - 1));
  };
  return {
    spec: { id: "Pad-v0", observation: box([2], -1, 1), action: discrete(4) },
    reset({ seed } = {}) {
      if (seed !== undefined) draw = 1 + (seed % 1000000);
      [place, steps] = [0, 0];
      return { observation: look() };
    },
    step(action) {
      place = action;
      return { observation: look(), reward: 1, terminated: ++steps === 5, truncated: false };
    },
    save: () => ({ place, draw, steps }),
    restore(from) {
      ({ place, draw, steps } = from as { place: number; draw: number; steps: number });
    },
  };
}

const pads = (rows: number, noise = 0): VectorEnv => vectorise(() => pad(noise), rows);

/** Takes the actions of `choose`, and returns the mean bonus of the last `last` steps. */
function play(
  env: IntrinsicReward,
  steps: number,
  choose: (t: number, row: number) => number,
  last = 1,
): number {
  const action = columns(env.spec.action, env.rows) as Tensor;
  let sum = 0;
  for (let t = 0; t < steps; t++) {
    for (let row = 0; row < env.rows; row++) action.data[row] = choose(t, row);
    env.step(action);
    if (t >= steps - last) for (const b of env.bonus) sum += b / (env.rows * last);
  }
  return sum;
}

/** Pseudo-random, by the step and the row. */
const mixed = (choices: number) => (t: number, row: number) =>
  Math.floor(choices * (Math.abs(Math.sin(12.9898 * (t + 1) + 78.233 * row) * 43758.5453) % 1));

const learned = [
  ["rnd", rnd],
  ["icm", icm],
  ["disagreement", disagreement],
] as const;

test("the n-th visit of a state has a bonus of 1/√n", () => {
  const env = counts(pads(2), { weight: 0.5 });
  env.reset({ seed: 0 });
  const seen: number[][] = [];
  for (const choices of [
    [1, 1],
    [1, 2],
    [3, 2],
  ]) {
    play(env, 1, (_, row) => choices[row]);
    seen.push([...env.reward.data]);
  }
  const bonus = (n: number) => Math.fround(1 + 0.5 * Math.fround(1 / Math.sqrt(n)));
  expect(seen).toEqual([
    [bonus(1), bonus(2)],
    [bonus(3), bonus(1)],
    [bonus(1), bonus(2)],
  ]);
});

test("an episode's final state is counted, not the next one's initial state", () => {
  const env = counts(pads(1));
  env.reset({ seed: 0 });
  play(env, 5, () => 3);
  expect(env.terminated.data[0]).toBe(1);
  expect(env.bonus[0]).toBeCloseTo(1 / Math.sqrt(5), 6);
});

test("numbers are counted by bin, and the last bin includes the upper bound", () => {
  const env = counts(pads(4), { bins: 2 });
  env.reset({ seed: 0 });
  // From -1 to 1 in two bins: 0 to 3 thirds all lie in the second.
  play(env, 1, (_, row) => row);
  expect([...env.bonus]).toEqual([1, 2, 3, 4].map((n) => Math.fround(1 / Math.sqrt(n))));
});

test("the weight decays linearly, and the bonus may replace the reward", () => {
  const env = counts(pads(2), { weight: 2, decay: 8, only: true });
  env.reset({ seed: 0 });
  expect(env.weight).toBe(2);
  play(env, 1, () => 1);
  expect(env.reward.data[0]).toBe(2);
  expect(env.weight).toBe(1.5);
  play(env, 5, () => 1);
  expect(env.weight).toBe(0);
  expect(env.reward.data[0]).toBe(0);
});

test.each(learned)("%s: frequent states lose their novelty, unseen ones keep it", (_, wrap) => {
  const env = wrap(pads(8), { learningRate: 1e-3, width: 32, every: 2 });
  env.reset({ seed: 1 });
  const atFirst = play(env, 64, mixed(3), 32);
  const often = play(env, 1500, mixed(3), 32);
  const never = play(env, 1, () => 3);
  expect(often).toBeLessThan(0.2 * atFirst);
  expect(never).toBeGreaterThan(4 * often);
});

test.each([
  ["icm", icm],
  ["disagreement", disagreement],
] as const)("%s loses interest in noise that actions do not control", (_, wrap) => {
  // Predicting observations themselves fails forever: one of the two numbers is unpredictable.
  const env = wrap(pads(8, 1), { learningRate: 1e-3, width: 32, every: 2 });
  env.reset({ seed: 1 });
  const atFirst = play(env, 64, mixed(4), 32);
  expect(play(env, 1500, mixed(4), 100)).toBeLessThan(0.05 * atFirst);
});

describe.each([["counts", counts], ...learned] as const)("%s", (_, wrap) => {
  const build = () => wrap(make("MountainCar-v0", { rows: 3, maxSteps: 13 }), { weight: 0.3, decay: 1000 });
  const rewards = (env: IntrinsicReward, steps: number, from: number) =>
    Array.from({ length: steps }, (_, t) => {
      play(env, 1, (_, row) => mixed(3)(from + t, row));
      return [...env.reward.data, ...env.ended.return];
    });

  test("continues exactly after save and restore, also in another copy", () => {
    const env = build();
    env.reset({ seed: 5 });
    rewards(env, 45, 0);
    const saved = env.save();
    const went = rewards(env, 40, 45);
    env.restore(saved);
    expect(rewards(env, 40, 45)).toEqual(went);
    const other = build();
    other.reset({ seed: 77 });
    other.restore(saved);
    expect(rewards(other, 40, 45)).toEqual(went);
  });

  test("a reset with a seed restarts; returns stay those of the environment", () => {
    const env = build();
    env.reset({ seed: 9 });
    const first = rewards(env, 60, 0);
    env.reset({ seed: 9 });
    expect(rewards(env, 60, 0)).toEqual(first);
    const returns = first.flatMap((row) => row.slice(3)).filter((r) => r !== 0);
    expect(returns.length).toBeGreaterThan(0);
    expect(returns.every((r) => r === -13)).toBe(true);
    expect(first.some((row) => row[0] > -1)).toBe(true);
  });
});

test("invalid options are rejected", () => {
  const slip = (options: object) => options as object;
  expect(() => rnd(pads(1), slip({ wight: 1 }))).toThrow(
    "rnd: there is no option wight. Did you mean weight",
  );
  expect(() => counts(pads(1), { bins: 0 })).toThrow("counts: bins is 0");
  expect(() => icm(pads(1), { weight: -1 })).toThrow("weight is -1");
});
