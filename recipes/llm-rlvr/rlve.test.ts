import type { JudgedEpisode, TaskItem } from "@reins/core";
import { Statistics } from "@reins/core/metrics";
import { expect, it } from "vitest";
import { adaptiveWindow } from "./rlve.parts.ts";

const all = [1, 2, 3, 4, 5, 6].flatMap((level) =>
  [0, 1, 2].map((i): TaskItem => ({ key: `${level} ${i}`, seed: 7, groupSize: 2, context: { level } })),
);
const judged = (level: number, reward: number): JudgedEpisode => ({
  episode: {
    columns: {},
    segments: [],
    terminated: true,
    truncated: false,
    return: [],
    context: { level },
  },
  verdict: { reward },
  reward,
});
const window = (last = 6) =>
  adaptiveWindow({ width: 2, threshold: 0.5, problems: 2, first: 0 })({
    all: all.filter((p) => Number(p.context?.level) <= last),
    groups: 40,
  }).task;
const levels = (task: ReturnType<typeof window>) => [
  ...new Set(task.next(new Statistics()).map((p) => Number(p.context?.level))),
];

it("adds a level when half of the samples at the top one are right, and drops the lowest beyond its width", () => {
  const task = window();
  expect(levels(task)).toEqual([1]);
  // Three of four samples are examined only when the fourth is there.
  task.observe!([judged(1, 1), judged(1, 1), judged(1, 0)]);
  expect(levels(task)).toEqual([1]);
  task.observe!([judged(1, 0)]);
  expect(levels(task).sort()).toEqual([1, 2]);
  // Samples below the top level do not count.
  task.observe!(Array.from({ length: 8 }, () => judged(1, 1)));
  task.observe!([judged(2, 0), judged(2, 0), judged(2, 0), judged(2, 1)]);
  expect(levels(task).sort()).toEqual([1, 2]);
  task.observe!([judged(2, 1), judged(2, 1), judged(2, 0), judged(2, 1)]);
  expect(levels(task).sort()).toEqual([2, 3]);
});

it("ends at the last level", () => {
  const task = window(1);
  task.observe!(Array.from({ length: 4 }, () => judged(1, 1)));
  expect(levels(task)).toEqual([1]);
});
