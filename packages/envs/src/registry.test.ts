import { box, discrete, type Env, ReinsError } from "@reins/core";
import { labelFault } from "@reins/core/spaces";
import { expect, test } from "vitest";
import { describeEnv, ids, make, makeSingle, register } from "./registry.ts";

test("makes environments by id, with their options", () => {
  const env = make("FrozenLake-v1", { rows: 4, map: "8x8", slippery: false });
  expect([env.rows, env.spec.id]).toEqual([4, "FrozenLake-v1"]);
  expect(env.spec.observation).toEqual({ kind: "discrete", n: 64, start: 0 });
  expect(make("CartPole-v0").spec).toMatchObject({ maxSteps: 200, solvedAt: 195 });
  expect(make("CartPole-v1", { maxSteps: 50 }).spec).toMatchObject({ maxSteps: 50, solvedAt: 475 });
});

test("Infinity means no time limit, in either form", () => {
  const maxSteps = Number.POSITIVE_INFINITY;
  for (const id of ["CartPole-v1", "MiniGrid-Empty-5x5-v0", "PlanarHopper-v0", "BitFlip-v0", "FrozenLake-v1"])
    expect(make(id, { maxSteps }).spec.maxSteps, id).toBeUndefined();
  expect(make("CartPole-v1", { maxSteps, traced: true }).spec.maxSteps).toBeUndefined();
});

test("every id is the id of its environment, and has a description", () => {
  for (const id of ids()) {
    expect(make(id).spec.id).toBe(id);
    expect(describeEnv(id)).toMatch(/^[A-Z].*\.$/);
  }
});

test("labels fit their spaces", () => {
  const labelled = ids().filter((id) => make(id).spec.labels);
  for (const id of labelled) {
    const { labels, ...spec } = make(id).spec;
    for (const part of ["observation", "action"] as const)
      expect(labels?.[part] && labelFault(spec[part], labels[part]), `${id} ${part}`).toBeUndefined();
  }
  // The built-in classic, Box2D, MuJoCo and planar environments have labels of both.
  expect(labelled.length).toBeGreaterThanOrEqual(34);
  expect(make("CartPole-v1").spec.labels).toEqual({
    observation: ["cart position", "cart velocity", "pole angle", "pole velocity"],
    action: ["left", "right"],
  });
  expect(make("Hopper-v5").spec.labels?.observation).toEqual([
    ...["torso height", "torso angle", "thigh angle", "leg angle", "foot angle"],
    ...["torso x velocity", "torso vertical velocity", "torso angular velocity"],
    ...["thigh velocity", "leg velocity", "foot velocity"],
  ]);
  // Options that change the observation change its labels, too.
  for (const options of [
    { excludeCurrentPositionsFromObservation: false },
    { includeCfrcExtInObservation: false },
  ]) {
    const { observation, labels } = make("Ant-v5", options).spec;
    expect(labelFault(observation, labels!.observation!)).toBeUndefined();
  }
});

test("single environments have plain values", () => {
  const env = makeSingle("Blackjack-v1");
  expect(env.reset({ seed: 42 }).observation).toHaveLength(3);
  expect(env.step(0).terminated).toBe(true);
});

test("suggests existing versions and names", () => {
  const message = (id: string) => {
    try {
      make(id);
    } catch (error) {
      expect(error).toBeInstanceOf(ReinsError);
      return (error as Error).message;
    }
  };
  expect(message("CartPole-v3")).toContain(
    "unknown environment CartPole-v3. Did you mean CartPole-v0 or CartPole-v1?",
  );
  expect(message("cartpole")).toContain(
    "unknown environment cartpole. Did you mean CartPole-v0 or CartPole-v1?",
  );
  expect(message("CarRacing-v3")).toContain("Gymnasium's own is gymnasium:CarRacing-v3, if");
  expect(message("Pendullum-v1")).toContain("Did you mean Pendulum-v1");
  expect(message("toString")).toContain("unknown environment toString");
});

test("an environment may be registered one copy at a time", () => {
  const one = (maxSteps = 3): Env => ({
    spec: { id: "Door-v0", observation: box([1]), action: discrete(2), maxSteps },
    reset: () => ({ observation: [0] }),
    step: (action) => ({ observation: [1], reward: Number(action), terminated: false, truncated: false }),
  });
  register({ id: "Door-v0", make: ({ maxSteps }) => one(maxSteps) });
  const env = make("Door-v0", { rows: 4, maxSteps: 5 });
  expect([env.rows, env.spec.maxSteps, env.savable]).toEqual([4, 5, false]);
  expect(makeSingle("Door-v0").reset().observation).toEqual(new Float32Array([0]));
  expect(describeEnv("Door-v0")).toBe("");
  register({ id: "Deaf-v0", make: () => one() });
  expect(() => make("Deaf-v0", { maxSteps: 5 })).toThrow("it ignores maxSteps");
});

test("registers new environments under versioned ids", () => {
  register({ id: "MyPole-v0", description: "Mine.", make: ({ rows }) => make("CartPole-v1", { rows }) });
  expect(make("MyPole-v0", { rows: 2 }).rows).toBe(2);
  expect(ids()).toContain("MyPole-v0");
  expect(() => register({ id: "MyPole-v0", description: "", make: () => make("CartPole-v1") })).toThrow(
    "is already registered",
  );
  expect(() => register({ id: "MyPole", description: "", make: () => make("CartPole-v1") })).toThrow(
    'register: "MyPole" has no version. Name it "MyPole-v0"',
  );
});

test("an environment that cannot be traced suggests one that can", () => {
  const traced = (id: string) => () => make(id, { traced: true });
  expect(traced("Hopper-v5")).toThrow("Use PlanarHopper-v0, a similar environment in tensor operations");
  expect(traced("PlanarHopper-v0")).toThrow("it always runs in tensor operations. Leave out traced.");
  expect(traced("Blackjack-v1")).toThrow("there is no option traced");
});
