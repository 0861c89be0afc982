import type { JudgedEpisode, Task, TaskItem } from "@reins/core";
import { expect, it } from "vitest";
import { curriculum, deviation } from "./cures.ts";

const all = [0, 1, 2, 3].map((i): TaskItem => ({ key: `${i}`, seed: i, groupSize: 8 }));
/** The task does not read them. */
const statistics = {} as Parameters<Task["next"]>[0];
const answered = (group: string, reward: number): JudgedEpisode => ({
  episode: { columns: {}, segments: [], terminated: true, truncated: false, return: [reward], group },
  verdict: { reward },
  reward,
});

it("the posterior starts uniform", () => {
  expect(deviation(0, 0)).toBe(0.5);
  expect(deviation(8, 8)).toBeCloseTo(Math.sqrt(0.9 * 0.1), 12);
});

it("samples medium problems more often, with larger groups", () => {
  const { task } = curriculum(deviation)({ all, groups: 2 });
  // Problem 0 is solved half of the time, the others always.
  const visit = all.flatMap((p, k) => Array.from({ length: 30 }, (_, i) => answered(p.key, k ? 1 : i % 2)));
  let chosen = 0;
  for (let i = 0; i < 400; i++) {
    task.observe!(visit);
    const batch = task.next(statistics);
    expect(batch.reduce((sum, p) => sum + p.groupSize, 0)).toBe(16);
    const first = batch.find((p) => p.key === "0");
    if (!first) continue;
    chosen++;
    // Two each, and 12 in proportion to 0.5 and √(31/32 · 1/32) = 0.174: 8.9 and 3.1.
    expect(first.groupSize).toBe(11);
  }
  // Weights e^2.5 = 12.2 and e^0.87 = 2.39: the probability to be one of two is 0.8995.
  expect(chosen / 400).toBeCloseTo(0.9, 1);
});
