import { describe, expect, it } from "vitest";
import { checkKeys, closestNames, describeValue, didYouMean } from "./errors.ts";

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
    expect(closestNames(name, envs)).toEqual(near);
  });
  it("include other spellings", () => {
    const names = ["learningRate", "entropyWeight", "clip"];
    expect(closestNames("learning_rate", names)).toEqual(["learningRate"]);
    expect(closestNames("LEARNING-RATE", names)).toEqual(["learningRate"]);
    // As Stable-Baselines3 calls them.
    expect(closestNames("ent_coef", names)).toEqual(["entropyWeight"]);
    expect(didYouMean("clip_range", names)).toBe(" Did you mean clip?");
    expect(didYouMean("rewardFuncs", ["env", "judge"])).toBe(" Did you mean judge?");
    expect(didYouMean("maxCompletionLength", ["maxTokens", "topP"])).toBe(" Did you mean maxTokens?");
    expect(didYouMean("family", ["algorithm", "env"])).toBe(" Did you mean env?");
    expect(didYouMean("clp", names)).toBe(" Did you mean clip?");
    expect(didYouMean("sac", ["sft", "rloo"])).toBe("");
  });
});

it("names unknown options, and rejects values that are not objects", () => {
  const check = (given: unknown) => () => checkKeys("load", given, ["env", "file"]);
  expect(check({ env: 1 })).not.toThrow();
  expect(check({ fil: 1 })).toThrow("load: there is no option fil. Did you mean file?");
  expect(check({ unrelated: 1 })).toThrow("load: there is no option unrelated. Options: env, file.");
  expect(check(undefined)).toThrow("load: options are given by name, as in { env: … }; this is undefined.");
  expect(check([1])).toThrow("this is [1].");
});

it("shortens values", () => {
  expect([describeValue("x"), describeValue(2), describeValue(null), describeValue(Number.NaN)]).toEqual([
    '"x"',
    "2",
    "null",
    "NaN",
  ]);
  expect(describeValue(function play() {})).toBe("the function play");
  expect(describeValue("y".repeat(100))).toHaveLength(60);
  expect(describeValue(Symbol("s"))).toBe("a symbol");
});
