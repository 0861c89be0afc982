import { tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import type { Env } from "../env.ts";
import { ReinsError } from "../errors.ts";
import { box, discrete, multiDiscrete } from "../space.ts";
import { i32, patched, Walk, walkWith } from "./testing.ts";
import { vectorise } from "./vectorise.ts";

describe("a broken contract is named", () => {
  const stepping = (make: (index: number) => Env) => () => {
    const vector = vectorise(make, 2);
    vector.reset({ seed: 0 });
    vector.step(i32(1, 1));
  };
  const row0 = "Walk-v0, row 0: ";
  it.each<[string, Env, string]>([
    [
      "a wrong shape",
      patched({ observation: [1] }),
      `${row0}observation has 1 number; Box([2], -inf to inf) needs 2`,
    ],
    [
      "a NaN",
      patched({ observation: [1, Number.NaN] }),
      `${row0}observation has NaN at 1; Box([2], -inf to inf) needs finite numbers (step 1 of its episode, action 1).`,
    ],
    ["no observation", patched({ observation: undefined }), `${row0}observation is undefined`],
    [
      "a reward that is not a number",
      patched({ reward: "1" }),
      `${row0}the reward is the string "1"; it must be a finite number (`,
    ],
    [
      "a reward that is infinite as f32",
      patched({ reward: 1e300 }),
      `${row0}the reward is 1e+300; it must be a finite number up to 3.4e38 (`,
    ],
    [
      "one infinite component",
      patched({ reward: [1, -1e300] }, { rewards: ["a", "b"] }),
      `${row0}the reward "b" is -1e+300; it must be a finite number up to 3.4e38 (`,
    ],
    [
      "a NaN reward",
      patched({ reward: Number.NaN }),
      `${row0}the reward is NaN; it must be a finite number (step 1 of its episode, action 1).`,
    ],
    [
      "one reward for two",
      patched({ reward: 1 }, { rewards: ["a", "b"] }),
      `${row0}the reward is 1; it must have 2: a, b.`,
    ],
    [
      "a NaN among rewards",
      patched({ reward: [1, Number.NaN] }, { rewards: ["a", "b"] }),
      `${row0}the reward "b" is NaN (step 1 of its episode, action 1).`,
    ],
    [
      "a flag that is not a boolean",
      patched({ terminated: 1 }),
      `${row0}step() returned the number 1 as \`terminated\``,
    ],
    [
      "an old step",
      walkWith({ step: () => [[0, 0], 0, false] }),
      `${row0}step() returned an array of 3; it must be { observation, reward, terminated, truncated }`,
    ],
    [
      "an observation without its record",
      walkWith({ reset: () => new Float32Array(2) }),
      `${row0}reset() returned an array of 2; it must be { observation }`,
    ],
    [
      "one done",
      walkWith({ step: () => ({ observation: [0, 0], reward: 0, done: false }) }),
      `${row0}step() returned undefined as \`terminated\``,
    ],
    [
      "a mask of another length",
      walkWith({ mask: () => [1] }),
      `${row0}mask() returned an array of 1; Discrete(3) needs 3 entries.`,
    ],
    ["a mask that allows nothing", walkWith({ mask: () => [0, 0, 0] }), `${row0}mask() allows no action`],
    [
      "a mask that allows no option of one choice",
      walkWith({ mask: () => [1, 0, 0, 0] }, { action: multiDiscrete([2, 2]) }),
      `${row0}mask() allows no option of choice 1. End the episode instead.`,
    ],
    [
      "an error of the environment",
      walkWith({
        step() {
          throw new Error("Walk-v0: stuck");
        },
      }),
      `${row0}step() failed: stuck`,
    ],
  ])("%s", (_, env, words) => {
    const make = (i: number) => (i === 0 ? env : (new Walk(env.spec) as Env));
    expect(stepping(make)).toThrow(words);
    expect(stepping(make)).toThrow(ReinsError);
  });

  it("steps before reset, actions that do not fit, and environments that cannot be saved", () => {
    const vector = vectorise(() => new Walk(), 2);
    expect(() => vector.step(i32(1, 1))).toThrow("Walk-v0: step() was called before reset().");
    vector.reset();
    expect(() => vector.step(i32(1))).toThrow("Walk-v0: action is a tensor i32[1], but must be i32[2].");
    expect(() => vector.step(tensor([1, 1]))).toThrow("action is a tensor f32[2], but must be i32[2].");
    expect(() => vector.step(i32(1, 3))).toThrow(
      "Walk-v0, row 1: action 3 is outside Discrete(3). Actions are 0, 1 or 2.",
    );
    const robot = vectorise(() => walkWith({ save: undefined }), 1);
    expect(() => robot.save()).toThrow("Walk-v0: this environment cannot be saved.");
  });

  it("invalid copies", () => {
    const one = new Walk();
    expect(() => vectorise(() => one, 2)).toThrow("Walk-v0: vectorise() got the same object twice.");
    expect(() => vectorise((i) => new Walk({ action: discrete(i + 1) }), 2)).toThrow("copies differ");
    expect(() => vectorise(() => one, 0)).toThrow("it must be a whole number from 1.");
    expect(() => vectorise(() => new Walk({ agents: { names: ["a", "b"], order: "turns" } }), 1)).toThrow(
      "vectoriseMulti",
    );
    expect(() => vectorise(() => walkWith({ mask: () => [1] }, { action: box([1]) }), 1)).toThrow(
      "has no choices to mask",
    );
  });
});
