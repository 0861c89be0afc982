import type { JudgedEpisode } from "@reins/core";
import { expect, it } from "vitest";
import { telling } from "./eframe.ts";

const group = (name: string, rewards: readonly number[]) =>
  rewards.map(
    (reward): JudgedEpisode => ({
      episode: {
        columns: {},
        segments: [],
        terminated: true,
        truncated: false,
        return: [reward],
        group: name,
      },
      verdict: { reward },
      reward,
    }),
  );

it("keeps rare outcomes above 1, and drops groups with equal rewards", () => {
  // One success of four: mean 1/4, deviation 1/2, advantages 3/2 and −1/2.
  const judged = [...group("a", [0, 1, 0, 0]), ...group("b", [1, 1]), ...group("c", [0, 0, 0])];
  expect(telling(judged, 0.05).map((j) => Math.round(100 * j.reward))).toEqual([-50, 150, -50, -50]);
  const [rare, ...others] = telling(judged, 1);
  expect(rare.reward).toBeCloseTo(1.5, 4);
  expect([rare.verdict.reward, others.length]).toEqual([1, 0]);
});
