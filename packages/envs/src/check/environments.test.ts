import type { VectorEnv } from "@reins/core";
import { defaultRng } from "@reins/core/random";
import { columns, sampleValue, writeValue } from "@reins/core/spaces";
import { cast, compile, leaves, sum, type Tensor } from "@reins/tensor";
import { describe, expect, test } from "vitest";
import { mujocoEnvs } from "../mujoco/envs.ts";
import { hasMujoco } from "../mujoco/testing.ts";
import { ids, make, makeSingle } from "../registry.ts";
import { checkEnv } from "./check-env.ts";
import { showFinding } from "./finding.ts";

// Chess takes milliseconds per move, and is checked with fewer moves next to its source.
const left = ["Chess-v0", ...((await hasMujoco()) ? [] : Object.keys(mujocoEnvs))];

/** Environments whose steps take a millisecond: fewer of them. */
const slow = /^(BipedalWalker|Humanoid|Ant)/;
const lengthFor = (id: string) => (slow.test(id) ? { maxSteps: 12, steps: 16 } : { maxSteps: 24, steps: 32 });

/** Environments of one family share their code and differ in a model, a size or a version. */
const familyOf = (id: string) =>
  /^(BipedalWalker|CartPole-|CliffWalking|Contextual|FrozenLake|LunarLander|MinAtar\/\w+|MiniGrid-[A-Za-z]+|Planar|TMaze)|-v5$/.exec(
    id,
  )?.[0] ?? id;
const checked = ids().filter((id) => !left.includes(id));
/** The first of each family; the others are checked in columns by `npm run test:all`. */
const representatives = new Set(new Map([...checked].reverse().map((id) => [familyOf(id), id])).values());

describe.each(checked)("%s", (id) => {
  const tags = representatives.has(id) ? [] : ["slow"];

  test("has no findings in columns", { tags }, () => {
    const { maxSteps, steps } = lengthFor(id);
    const findings = checkEnv(() => make(id, { rows: 3, maxSteps }), { seeds: [0], steps });
    expect(findings.map(showFinding)).toEqual([]);
  });

  test("has no findings as a single environment", () => {
    const { steps } = lengthFor(id);
    expect(checkEnv(() => makeSingle(id), { seeds: [3], steps }).map(showFinding)).toEqual([]);
  });

  test("shows the same where compiled code is bound to its columns, which moves them", { tags }, () => {
    const [free, bound] = [make(id, { rows: 3 }), make(id, { rows: 3 })];
    for (const column of leaves([bound.observation, bound.reward, bound.terminated]))
      compile((x: Tensor) => sum(cast(x, "f32"))).bind(column);
    const random = defaultRng(1);
    const action = columns(free.spec.action, 3);
    for (const env of [free, bound]) env.reset({ seed: 1 });
    for (let t = 0; t < 10; t++) {
      for (let row = 0; row < 3; row++)
        writeValue(free.spec.action, action, row, sampleValue(free.spec.action, random));
      for (const env of [free, bound]) env.step(action);
      const shown = (env: VectorEnv) =>
        leaves([env.observation, env.reward, env.terminated]).map((x) => x.toArray());
      expect(shown(bound)).toEqual(shown(free));
    }
  });

  test("renders each row in 80 × 20 characters", () => {
    const env = make(id, { rows: 2 });
    env.reset({ seed: 1 });
    const lines = env.render!(1).split("\n");
    expect(lines.length).toBeLessThanOrEqual(20);
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(80);
  });
});

// Options that change observations, actions or dynamics.
test.each([
  ["Driving-v0", { pixels: true }],
  ["Driving-v0", { discrete: true }],
  ["LunarLander-v3", { wind: true }],
])("%s with %j has no findings", (id, options) => {
  const findings = checkEnv(() => make(id, { rows: 2, maxSteps: 30, ...options }), { seeds: [0], steps: 40 });
  expect(findings.map(showFinding)).toEqual([]);
});
