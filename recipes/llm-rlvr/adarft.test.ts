import type { JudgedEpisode, Task, TaskItem } from "@reins/core";
import { expect, it } from "vitest";
import { nearest } from "./adarft.ts";

const all = [1, 2, 3, 4, 5, 6].flatMap((level) =>
  [0, 1, 2].map((i): TaskItem => ({ key: `${level} ${i}`, context: { level }, groupSize: 1 })),
);
/** The task does not read them. */
const statistics = {} as Parameters<Task["next"]>[0];
const rewarded = (reward: number): JudgedEpisode => ({
  episode: { columns: {}, segments: [], terminated: true, truncated: false, return: [reward] },
  verdict: { reward },
  reward,
});

it("moves the target by 50 tanh(2 (mean − 0.5)) and takes the nearest problems, each in its turn", () => {
  const { task } = nearest(50, 0)({ all, groups: 2 });
  const keys = () => task.next(statistics).map((p) => p.key);
  expect([keys(), keys()]).toEqual([
    ["1 0", "1 1"],
    ["1 2", "1 0"],
  ]);
  // 50 tanh(1) = 38.1: level 3, at 40, is nearest.
  task.observe!([rewarded(1)]);
  expect(keys()).toEqual(["3 0", "3 1"]);
  // 38.1 + 0, then 38.1 − 38.1 = 0.
  task.observe!([rewarded(1), rewarded(0)]);
  expect(keys()).toEqual(["3 2", "3 0"]);
  task.observe!([rewarded(0)]);
  expect(keys()[0]).toBe("1 1");
});
