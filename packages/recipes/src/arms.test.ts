import { a2c } from "@reins/algorithms";
import { box, discrete, type Env, type StepEnvironment } from "@reins/core";
import { vectorise } from "@reins/core/forms";
import { expect, it } from "vitest";
import type { Settings } from "./grid.ts";
import { learnArm } from "./learn-arm.ts";
import { DivergedError } from "./outcome.ts";
import type { Trial } from "./recipe.ts";
import { tableArm } from "./table-arm.ts";
import { tasksArm } from "./tasks-arm.ts";

/** One step: every action has the reward `reward`. */
const paying = (reward: number): StepEnvironment => {
  const make = (): Env => ({
    spec: { id: "Paying-v0", observation: box([1], 0, 1), action: discrete(2) },
    reset: () => ({ observation: Float32Array.of(0) }),
    step: () => ({ observation: Float32Array.of(0), reward, terminated: true, truncated: false }),
  });
  return { spec: make().spec, make: (rows) => vectorise(make, rows) };
};

const trial: Trial<{ learningRate: readonly number[] }> = {
  seed: 3,
  replicate: "seed 3",
  settings: { learningRate: 1e-3 },
  budget: 64,
  quick: false,
  warm: () => expect.unreachable(),
};
const options = { envs: 4, steps: 4, hidden: [4] };

it("a run gives its returns, watched and measured values, and its first losses", async () => {
  let rounds = 0;
  const side = learnArm({
    name: "A2C",
    algorithm: a2c,
    options,
    env: paying(2),
    also: ["policy/entropy"],
    watch: () => () => ({ round: ++rounds }),
    reach: 2,
    greedy: true,
    measure: (run, { budget }) => ({ share: run.steps / budget }),
  });
  const { values, early, used } = await side.run(trial);
  expect(values).toEqual({
    training: 2,
    last: 2,
    "policy/entropy": expect.closeTo(Math.log(2), 1),
    round: 2.5,
    "final/round": 4,
    // All episodes have the same return: the level is reached after the first round, 4 steps of 4 copies.
    reached: 16,
    greedy: expect.closeTo(2, 12),
    share: 1,
  });
  expect(used).toBe(64);
  // Four rounds of one update each, of which the first three count.
  expect(early.length % 3).toBe(0);
  expect(early.length).toBeGreaterThan(0);
  expect(early.every(Number.isFinite)).toBe(true);
});

it("a level that is never reached is infinite", async () => {
  const side = learnArm({ name: "A2C", algorithm: a2c, options, env: paying(2), reach: 3 });
  expect((await side.run(trial)).values.reached).toBe(Number.POSITIVE_INFINITY);
});

it("places, data and algorithms may depend on the trial, and settings are passed to the method by name", async () => {
  const side = learnArm({
    name: "A2C",
    algorithm: ({ learningRate }: Settings<{ learningRate: readonly number[] }>, { seed }) =>
      a2c({ ...options, learningRate, hidden: [seed] }),
    env: ({ seed }) => paying(seed),
  });
  expect((await side.run(trial)).values).toMatchObject({ training: 3 });
  const wrong = learnArm({ name: "A2C", algorithm: a2c, options, env: paying(1) });
  const slip = { ...trial, settings: { learningrate: 1 } };
  await expect(async () => wrong.run(slip)).rejects.toThrow("Did you mean learningRate?");
});

it("a run with NaN losses has diverged; other errors are thrown", async () => {
  const side = learnArm({ name: "A2C", algorithm: a2c, options, env: paying(2) });
  const steep = { ...trial, settings: { learningRate: 3e38 } };
  await expect(async () => side.run(steep)).rejects.toThrow(DivergedError);
  const broken = learnArm({
    name: "A2C",
    algorithm: a2c,
    options,
    env: paying(1),
    watch: () => () => {
      throw new TypeError("a mistake");
    },
  });
  await expect(async () => broken.run(trial)).rejects.toThrow(TypeError);
});

it("a table is stepped as often as the budget allows, and its first numbers are kept", async () => {
  const side = tableArm({
    name: "walk",
    begin({ settings: { learningRate } }: Trial<{ learningRate: readonly number[] }>, random) {
      let sum = 0;
      return {
        step(t) {
          sum += random.random() < 2 ? learningRate : 0;
          return t % 2 ? t : undefined;
        },
        values: () => ({ sum }),
      };
    },
  });
  const { values, early, used } = await side.run(trial);
  expect(values).toEqual({ sum: expect.closeTo(0.064, 9) });
  expect(used).toBe(64);
  expect(early).toEqual(Array.from({ length: 20 }, (_, i) => 2 * i + 1));
});

it("several tasks share the steps, and are scaled to their bounds", async () => {
  const side = tasksArm({
    name: "A2C",
    algorithm: a2c,
    options,
    tasks: { three: { env: paying(3), part: 3, low: 1, high: 5 }, one: { env: paying(1) } },
    by: "last",
  });
  const { values, used } = await side.run({ ...trial, budget: 128 });
  expect(values).toEqual({ three: 0.5, one: 1, score: 0.75 });
  expect(used).toBe(96 + 32);
});
