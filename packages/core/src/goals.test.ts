import { setBackend, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import type { Goals } from "./env.ts";
import { goalReached, goalReward, goalRewardFor, goalSize } from "./goals.ts";
import { EpisodeMeter } from "./loop/meter.ts";
import { box, dict, multiBinary } from "./space.ts";

setBackend("wasm");

const sparse: Goals = { tolerance: 0.5, reward: "sparse", ends: false };
const dense: Goals = { ...sparse, reward: "dense" };
const achieved = [
  [0, 0],
  [3, 4],
  [0.3, 0.4],
];
const desired = achieved.map(() => [0, 0]);

describe("goals", () => {
  it("reward by distance: 0 within the tolerance and -1 elsewhere, or minus the distance", () => {
    const pay = (goals: Goals) => goalReward(goals, tensor(achieved), tensor(desired)).toArray();
    expect(pay(sparse)).toEqual([0, -1, 0]);
    expect(pay(dense)).toEqual([-0, -5, -0.5]);
  });

  it("give plain numbers the same rewards", () => {
    for (const goals of [sparse, dense]) {
      const all = goalReward(goals, tensor(achieved), tensor(desired)).toArray();
      const one = goalRewardFor(goals, 2);
      expect(achieved.map((a, i) => one(a, desired[i]))).toEqual(all);
    }
  });

  it("are reached according to the reward", () => {
    expect([0, -1].map((r) => goalReached(sparse, r))).toEqual([true, false]);
    expect([0, -0.5, -0.51].map((r) => goalReached(dense, r))).toEqual([true, true, false]);
    // The threshold is float32, as the distances are.
    const close: Goals = { ...dense, tolerance: 0.1 };
    expect(goalReached(close, goalRewardFor(close, 1)([0.1], [0]))).toBe(true);
  });

  it("are parts of a dict with equal shapes", () => {
    const seen = (from: object) => goalSize(dict({ observation: box([4]), ...from }));
    expect(seen({ achieved: box([2, 3]), desired: box([2, 3]) })).toBe(6);
    expect(seen({ achieved: multiBinary(5), desired: multiBinary(5) })).toBe(5);
    expect(seen({ achieved: box([2]), desired: box([3]) })).toBeUndefined();
    expect(seen({ achieved: box([2]) })).toBeUndefined();
    expect(goalSize(box([2]))).toBeUndefined();
  });

  it("are counted by the meter, which saves them", () => {
    const meter = new EpisodeMeter(4, sparse);
    const step = (reward: number) =>
      meter.observe({
        reward: tensor([reward]),
        terminated: tensor([false]),
        truncated: tensor([true]),
        ended: { return: Float64Array.of(-9), length: Int32Array.of(9) },
      });
    for (const reward of [0, -1, -1, -1, 0, 0]) step(reward);
    expect(meter.live()["success/mean"]()).toBe(0.5);
    const other = new EpisodeMeter(4, sparse);
    other.restore(meter.save());
    expect(other.success).toBe(0.5);
    expect(new EpisodeMeter().live()["success/mean"]).toBeUndefined();
  });
});
