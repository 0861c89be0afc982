import { readFileSync } from "node:fs";
import type { Box } from "@reins/core";
import { columns } from "@reins/core/spaces";
import type { Tensor } from "@reins/tensor";
import { describe, expect, test } from "vitest";
import { type BuiltinId, make } from "../registry.ts";
import { ant } from "./ant.ts";
import { halfCheetah } from "./half-cheetah.ts";
import { hopper } from "./hopper.ts";
import { humanoid } from "./humanoid.ts";
import { humanoidStandup } from "./humanoid-standup.ts";
import { invertedDoublePendulum } from "./inverted-double-pendulum.ts";
import { invertedPendulum } from "./inverted-pendulum.ts";
import { pusher } from "./pusher.ts";
import { reacher } from "./reacher.ts";
import { simulationOf } from "./simulation.ts";
import { swimmer } from "./swimmer.ts";
import { hasMujoco } from "./testing.ts";
import { walker2d } from "./walker2d.ts";

type Numbers = readonly number[] | { readonly all: number; readonly length: number };
type Step = [
  action: readonly number[],
  observation: readonly number[] | null,
  reward: number,
  terminated: boolean,
];
interface Original {
  readonly spec: {
    readonly observation: number;
    readonly low: readonly number[];
    readonly high: readonly number[];
    readonly maxSteps: number;
  };
  readonly options: { readonly [name: string]: number | readonly number[] };
  readonly model: { readonly [name: string]: Numbers };
  readonly episodes: readonly {
    readonly seed: number;
    readonly options: { readonly [name: string]: unknown };
    readonly observation: readonly number[];
    readonly steps: readonly Step[];
  }[];
}

const originals: { readonly [id: string]: Original } = JSON.parse(
  readFileSync(new URL("../../fixtures/mujoco.json", import.meta.url), "utf8"),
);
const tasks = [
  invertedPendulum(),
  invertedDoublePendulum(),
  reacher(),
  pusher(),
  swimmer(),
  hopper(),
  halfCheetah(),
  walker2d(),
  ant(),
  humanoid(),
  humanoidStandup(),
];

const list = (numbers: Numbers): readonly number[] =>
  "all" in numbers ? Array.from({ length: numbers.length }, () => numbers.all) : numbers;

/** The largest difference, relative for large numbers. */
function distance(ours: ArrayLike<number>, theirs: readonly number[]): number {
  if (ours.length !== theirs.length) return Number.POSITIVE_INFINITY;
  return theirs.reduce((d, x, i) => Math.max(d, Math.abs(ours[i] - x) / Math.max(1, Math.abs(x))), 0);
}

/** Gymnasium writes names with underscores. */
const camel = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** The engine's parts by index: the package has no view of a boolean array. */
interface Named {
  jnt(i: number): { readonly limited: boolean };
  actuator(i: number): { readonly ctrllimited: boolean };
  tendon(i: number): { readonly _limited: boolean };
}

function compiledArray(model: object, name: string, length: number): ArrayLike<number> {
  const named = model as Named;
  const switches: { readonly [name: string]: (i: number) => boolean } = {
    jnt_limited: (i) => named.jnt(i).limited,
    actuator_ctrllimited: (i) => named.actuator(i).ctrllimited,
    tendon_limited: (i) => named.tendon(i)._limited,
  };
  const one = switches[name];
  if (one) return Array.from({ length }, (_, i) => Number(one(i)));
  return (model as { readonly [name: string]: ArrayLike<number> })[name];
}

describe.skipIf(!(await hasMujoco())).each(tasks)("$id", (task) => {
  const { id } = task;
  const { spec, options, model, episodes } = originals[id];

  test("compiles to the same model", () => {
    const simulation = simulationOf(id, task.model());
    for (const [name, numbers] of Object.entries(model)) {
      const theirs = list(numbers);
      expect([name, distance(compiledArray(simulation.model, name, theirs.length), theirs)]).toEqual([
        name,
        expect.closeTo(0, 6),
      ]);
    }
    const opt = simulation.model.opt as { readonly [name: string]: unknown };
    for (const [name, theirs] of Object.entries(options)) {
      const ours = opt[name];
      expect([name, typeof ours === "number" ? ours : [...(ours as Float64Array)]]).toEqual([name, theirs]);
    }
    expect(simulation).toMatchObject(task.dimensions);
  });

  test("has the same spaces", () => {
    const { observation, action, maxSteps } = make(id).spec;
    expect([(observation as Box).shape, maxSteps]).toEqual([[spec.observation], spec.maxSteps]);
    const { shape, low, high } = action as Box;
    expect(shape).toEqual([spec.low.length]);
    for (const bound of spec.low) expect(low).toBeCloseTo(bound, 6);
    for (const bound of spec.high) expect(high).toBeCloseTo(bound, 6);
  });

  test.each(episodes)(
    "plays as Gymnasium's: seed $seed, $options",
    ({ seed, options, observation, steps }) => {
      const own = Object.fromEntries(Object.entries(options).map(([name, value]) => [camel(name), value]));
      const env = make(id as BuiltinId, own);
      const action = columns(env.spec.action, 1) as Tensor;
      env.reset({ seed });
      expect(distance((env.observation as Tensor).data, observation)).toBeLessThan(1e-6);
      steps.forEach(([act, seen, reward, terminated], i) => {
        action.data.set(act);
        env.step(action);
        const { data } = (terminated ? env.final : env.observation) as Tensor;
        expect([i, env.terminated.data[0] === 1]).toEqual([i, terminated]);
        expect(Math.abs(env.reward.data[0] - reward) / Math.max(1, Math.abs(reward))).toBeLessThan(1e-5);
        if (seen) expect(distance(data, seen)).toBeLessThan(1e-5);
      });
    },
  );
});
