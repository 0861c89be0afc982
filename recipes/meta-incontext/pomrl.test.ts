import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import {
  explore,
  frequencies,
  mdpOf,
  mixed,
  planningLoss,
  randomRows,
  smoothed,
  TaskPrior,
} from "./pomrl.parts.ts";

it("learns mean and variance of rows over tasks, without pairs that were not visited", () => {
  const prior = new TaskPrior(2, 2, 0.1);
  prior.learn([Float64Array.of(4, 0), Float64Array.of(0, 0)]);
  expect([...prior.mean[0]]).toEqual([1, 0]);
  expect([...prior.mean[1]]).toEqual([0.5, 0.5]);
  expect(prior.share(1, 0.25, 5)).toBe(0);
  // v² / (v² + 0.1 · 2 · 5)
  expect(prior.share(0, 0.25, 5)).toBeCloseTo(0.2, 12);
  prior.learn([Float64Array.of(2, 2), Float64Array.of(0, 0)]);
  expect([...prior.mean[0]]).toEqual([0.75, 0.25]);
  // Half of 0.1, and half of |0.5 − 1| |0.5 − 0.75|.
  expect(prior.variance[0][0]).toBeCloseTo(0.1125, 12);
});

it("mixes and smooths rows", () => {
  const [own, prior] = [[Float64Array.of(1, 3)], [Float64Array.of(0.5, 0.5)]];
  expect([...frequencies(own)[0]]).toEqual([0.25, 0.75]);
  expect([...smoothed(own, prior, 4)[0]]).toEqual([0.375, 0.625]);
  expect([...mixed(frequencies(own), prior, () => 0.5)[0]]).toEqual([0.375, 0.625]);
});

it("loses nothing with the exact model and the long horizon", () => {
  const random = defaultRng(1);
  const rows = randomRows(random, 12, 6, 3);
  const rewards = random.fillRandom(new Float64Array(12));
  const task = mdpOf(rows, rewards, 6);
  expect(planningLoss(task, task, 0.99, 0.99)).toBeCloseTo(0, 12);
  expect(planningLoss(task, task, 0, 0.99)).toBeGreaterThan(0);
  const counts = explore(rows, { states: 6, trajectories: 3, steps: 7 }, random);
  expect(counts.reduce((sum, row) => sum + row.reduce((a, b) => a + b), 0)).toBe(21);
});
