import { expect, it } from "vitest";
import { LogSchedule } from "./schedule.ts";

const rows = (
  budget: number,
  round: number,
  times?: number,
  stops: readonly number[] = [],
  early = false,
) => {
  let schedule = new LogSchedule(budget, times, early);
  const due: number[] = [];
  for (let s = round; s < budget + round; s += round) {
    if (schedule.due(s)) due.push(s);
    if (stops.includes(s)) {
      schedule = new LogSchedule(budget, times, early);
      schedule.resume(s);
    }
  }
  return due;
};

it("is due about `times` times, and at the end", () => {
  expect(rows(100, 10, 5)).toEqual([20, 40, 60, 80, 100]);
  expect(rows(100, 30, 300)).toEqual([30, 60, 90, 120]);
  for (const [budget, round] of [
    [1e6, 512],
    [1e9, 2048],
    [999_999, 7],
    [500, 1],
  ]) {
    const due = rows(budget, round);
    expect(due.length).toBeGreaterThanOrEqual(Math.min(200, budget / round));
    expect(due.length).toBeLessThanOrEqual(301);
    expect(due.at(-1)).toBeGreaterThanOrEqual(budget);
  }
});
it("is due early with `early`: after the first round, and whenever steps have doubled", () => {
  expect(rows(6400, 10, 10, [], true).slice(0, 9)).toEqual([10, 20, 40, 70, 130, 260, 520, 640, 1280]);
  const stops = [10, 20, 30, 130, 640, 650];
  expect(rows(6400, 10, 10, stops, true)).toEqual(rows(6400, 10, 10, [], true));
  expect(rows(100, 10, 10, [], true)).toEqual(rows(100, 10, 10));
});
it("does not depend on interruptions", () => {
  const stops = [96, 112, 400, 9984];
  expect(rows(10_000, 16, 37, stops)).toEqual(rows(10_000, 16, 37));
});
it("refuses invalid numbers", () => {
  expect(() => new LogSchedule(0)).toThrow("200 times in 0 steps");
});
