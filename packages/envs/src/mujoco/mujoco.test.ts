import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Box, VectorEnv } from "@reins/core";
import { columns } from "@reins/core/spaces";
import { type Tensor, tensor } from "@reins/tensor";
import { describe, expect, test, vi } from "vitest";
import { type BuiltinId, loadEnv, make, makeSingle } from "../registry.ts";
import { hasMujoco } from "./testing.ts";

const message = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return "nothing was thrown";
};

/** Waves as actions, and all results of the steps. */
function play(env: VectorEnv, steps: number, from = 0): number[] {
  const action = columns(env.spec.action, env.rows) as Tensor;
  const seen: number[] = [];
  for (let t = from; t < from + steps; t++) {
    action.data.forEach((_, i) => (action.data[i] = Math.sin(t + 2 * i)));
    env.step(action);
    seen.push(...(env.observation as Tensor).data, ...env.reward.data, ...env.terminated.data);
  }
  return seen;
}

const begun = (id: BuiltinId, rows = 1) => {
  const env = make(id, { rows });
  env.reset({ seed: 3 });
  return env;
};

/** A model of a single sliding ball. */
const ball = (name: string, more = "") =>
  `<mujoco model="${name}">${more}<worldbody><body><joint name="j" type="slide" axis="1 0 0"/>` +
  `<geom type="sphere" size="0.1"/></body></worldbody>` +
  `<actuator><motor joint="j" ctrlrange="-2 1"/></actuator></mujoco>`;

const there = await hasMujoco();

describe.skipIf(!there)("environments in MuJoCo", () => {
  test("rows and environments that share a model do not affect each other", () => {
    const [alone, first, second] = [begun("Walker2d-v5"), begun("Walker2d-v5", 3), begun("Walker2d-v5")];
    const expected = play(alone, 30);
    const width = 17;
    const seen: number[] = [];
    for (let t = 0; t < 30; t++) {
      // Row 0 has the seed itself; the waves of its actions begin alike.
      const rows = play(first, 1, t);
      seen.push(...rows.slice(0, width), rows[3 * width], rows[3 * width + 3]);
      play(second, 2, t);
      second.picture?.(0);
    }
    expect(seen).toEqual(expected);
  });

  test("a saved state continues to the last bit, also in another environment", () => {
    const env = begun("Humanoid-v5", 2);
    play(env, 12);
    const saved = env.save();
    const expected = play(env, 15, 12);
    const other = make("Humanoid-v5", { rows: 2 });
    other.restore(saved);
    play(begun("Humanoid-v5"), 5);
    expect(play(other, 15, 12)).toEqual(expected);
  });

  test("memory that grows for other models leaves no stale views", () => {
    const expected = play(begun("HalfCheetah-v5"), 20);
    const env = begun("HalfCheetah-v5");
    const before = play(env, 10);
    for (let i = 0; i < 4; i++) make("Swimmer-v5", { xmlFile: ball(`grown ${i}`), rows: 1 });
    expect([...before, ...play(env, 10, 10)]).toEqual(expected);
  });

  test("another model has its own spaces, from a file or as text", () => {
    const path = join(mkdtempSync(join(tmpdir(), "reins-")), "ball.xml");
    writeFileSync(path, ball("own"));
    for (const xmlFile of [path, ball("own")]) {
      const env = make("HalfCheetah-v5", { xmlFile });
      const { shape, low, high } = env.spec.action as Box;
      expect([shape, low, high]).toEqual([[1], [-2], [1]]);
      expect((env.spec.observation as Box).shape).toEqual([1]);
      env.reset({ seed: 1 });
      expect(play(env, 3).every(Number.isFinite)).toBe(true);
    }
  });

  test("an invalid model is rejected with MuJoCo's message", () => {
    const refused = (xmlFile: string) => message(() => make("Ant-v5", { xmlFile }));
    expect(refused("<mujoco><worldbody><body><geom/></body></worldbody></mujoco>")).toContain(
      "Ant-v5: MuJoCo rejects the model. Error: size 0 must be positive in geom",
    );
    expect(refused("<mujoco")).toContain("XML_ERROR_PARSING");
    expect(refused(ball("bad", "<optoin/>"))).toMatch(
      /MuJoCo rejects the model\. .*unrecognized element\s+Element 'optoin'/,
    );
    expect(refused("nowhere.xml")).toMatch(/cannot read the model at nowhere\.xml: ENOENT/);
    expect(refused("<mujoco/>")).toContain("the model has no actuators");
    expect(refused(3 as unknown as string)).toContain("xmlFile is 3; use the path");
  });

  test("a model that lacks what a task reads is rejected", () => {
    const geom = "<geom type='sphere' size='0.1'/>";
    const hinge = `<mujoco><worldbody><body name='torso'><joint name='a' type='hinge' axis='0 1 0'/>${geom}</body></worldbody>
      <actuator><motor joint='a' ctrlrange='-1 1' ctrllimited='true'/></actuator></mujoco>`;
    for (const id of ["Pusher-v5", "Reacher-v5", "InvertedDoublePendulum-v5"])
      expect(message(() => make(id, { xmlFile: hinge }))).toContain(`${id}: this model is too small`);
    const three = ["x", "y", "z"].reduce(
      (inner, name) => `<body><joint name='${name}' type='hinge' axis='0 1 0'/>${geom}${inner}</body>`,
      "",
    );
    const motor = "<motor joint='x' ctrlrange='-1 1' ctrllimited='true'/>";
    const chain = `<mujoco><worldbody>${three}</worldbody><actuator>${motor}</actuator></mujoco>`;
    expect(message(() => make("HumanoidStandup-v5", { xmlFile: hinge }))).toContain(
      "observation or reward is NaN",
    );
    expect(message(() => make("InvertedDoublePendulum-v5", { xmlFile: chain }))).toContain(
      "observation or reward is NaN",
    );
  });

  test("actions of the wrong shape and NaN actions are rejected", () => {
    const env = begun("Hopper-v5", 2);
    const step = (action: Tensor) => message(() => env.step(action));
    expect(step(tensor(new Float32Array(4)))).toContain(
      "actions must be a tensor f32 [2,3], one for each row",
    );
    const action = columns(env.spec.action, 2) as Tensor;
    action.data[4] = Number.NaN;
    expect(step(action)).toContain("Hopper-v5: action NaN in row 1 is not a number");
    const one = makeSingle("Hopper-v5");
    one.reset({ seed: 1 });
    expect(message(() => one.step([0, 0]))).toContain("Hopper-v5");
    expect(message(() => one.step([0, Number.NaN, 0]))).toContain("Hopper-v5");
  });

  test("options are checked", () => {
    // @ts-expect-error its name is healthyZRange.
    expect(message(() => make("Hopper-v5", { healthyRange: [0, 1] }))).toContain(
      "Did you mean healthyZRange",
    );
    // @ts-expect-error it has two bounds.
    expect(message(() => make("Hopper-v5", { healthyZRange: [0.7] }))).toContain("use two numbers");
    expect(message(() => make("Hopper-v5", { frameSkip: 0 }))).toContain("a whole number from 1");
    expect(() => make("Hopper-v5", { healthyZRange: [0.7, null] })).not.toThrow();
  });

  test("each has a rendering, of all its parts", () => {
    const env = begun("HalfCheetah-v5");
    const { shapes } = env.picture!(0);
    const sticks = shapes.filter((s) => s.kind === "line" && s.width > 5);
    expect(sticks.length).toBe(8);
    expect(env.render!(0)).toContain("⣿");
  });
});

test("spaces are known before MuJoCo is loaded, and the first reset explains how to load it", async () => {
  vi.resetModules();
  const { make } = await import("../registry.ts");
  const env = make("HalfCheetah-v5");
  expect((env.spec.observation as Box).shape).toEqual([17]);
  expect(message(() => env.reset({ seed: 1 }))).toContain(
    "HalfCheetah-v5: MuJoCo is not loaded. Call await loadMujoco() before the first reset().",
  );
});

test("loading fails with its reason, and can be retried", async () => {
  vi.resetModules();
  const { loadMujoco } = await import("./engine.ts");
  await expect(loadMujoco(() => Promise.reject(new Error("no memory")))).rejects.toThrow("no memory");
  await expect(loadMujoco(async () => ({}))).rejects.toThrow("MuJoCo: expected the default export");
  if (there) await expect(loadMujoco()).resolves.toBeUndefined();
});

test("environments without dependencies are loaded at once", async () => {
  await expect(loadEnv("CartPole-v1")).resolves.toBeUndefined();
  await expect(loadEnv("CartPole-v9")).rejects.toThrow("unknown environment CartPole-v9");
});
