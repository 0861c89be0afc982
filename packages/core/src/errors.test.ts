import { describe, expect, it } from "vitest";
import { checkKeys, didYouMean, nearest, said } from "./errors.ts";

describe("names that are near", () => {
  const envs = [
    "CartPole-v1",
    "LinearBandit-v0",
    "MountainCar-v0",
    "MountainCarContinuous-v0",
    "Pendulum-v1",
  ];
  it.each([
    ["CartPol-v1", ["CartPole-v1"]],
    ["Pendullum-v1", ["Pendulum-v1"]],
    ["mountain", ["MountainCar-v0", "MountainCarContinuous-v0"]],
    ["mountaincar", ["MountainCar-v0"]],
    // A wrong guess is worse than none.
    ["LunarLander-v3", []],
    ["Ant-v5", []],
    ["x", []],
  ])("%s: %j", (name, near) => {
    expect(nearest(name, envs)).toEqual(near);
  });
  it("include other spellings", () => {
    const names = ["learningRate", "entropyWeight", "clip"];
    expect(nearest("learning_rate", names)).toEqual(["learningRate"]);
    expect(nearest("LEARNING-RATE", names)).toEqual(["learningRate"]);
    // As Stable-Baselines3 calls them.
    expect(nearest("ent_coef", names)).toEqual(["entropyWeight"]);
    expect(didYouMean("clip_range", names)).toBe(" Did you mean clip?");
    expect(didYouMean("clp", names)).toBe(" Did you mean clip?");
    expect(didYouMean("sac", ["sft", "rloo"])).toBe("");
  });
});

it("names unknown options, and rejects values that are not objects", () => {
  const check = (given: unknown) => () => checkKeys("load", given, ["env", "file"]);
  expect(check({ env: 1 })).not.toThrow();
  expect(check({ fil: 1 })).toThrow("load: there is no option fil. Did you mean file? There are env, file.");
  expect(check(undefined)).toThrow("load: options are given by name, as in { env: … }; this is undefined.");
  expect(check([1])).toThrow("this is [1].");
});

it("shortens values", () => {
  expect([said("x"), said(2), said(null), said(Number.NaN)]).toEqual(['"x"', "2", "null", "NaN"]);
  expect(said(function play() {})).toBe("the function play");
  expect(said("y".repeat(100))).toHaveLength(60);
  expect(said(Symbol("s"))).toBe("a symbol");
});
