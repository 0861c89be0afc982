import { expect, it } from "vitest";
import type { Verdict } from "../judge.ts";
import type { JudgedEpisode } from "../selection.ts";
import { played } from "../selections/testing.ts";
import { groupMeasures, measuresOf } from "./episode-metrics.ts";

const judged = (group: string, reward: number, verdict: Partial<Verdict> = {}): JudgedEpisode => {
  const one = played({ group, reward });
  return { ...one, verdict: { ...one.verdict, ...verdict } };
};

it("measures the spread of rewards, their terms, and groups with equal rewards", () => {
  const all = [
    judged("a", 1, { terms: { right: 1, brief: 0 }, wellFormed: true }),
    judged("a", 0, { terms: { right: 0, brief: 0 }, wellFormed: false }),
    judged("b", 1, { terms: { right: 0.5, brief: 0.5 }, wellFormed: true }),
    judged("b", 1, { terms: { right: 1 }, wellFormed: true }),
  ];
  const measured = measuresOf(all);
  expect(measured["reward/std"]).toBeCloseTo(Math.sqrt(3) / 4, 12);
  expect(measured).toMatchObject({
    "reward/right": 0.625,
    "reward/brief": 0.125,
    "reward/flat": 0.5,
    "judge/malformed": 0.25,
    "length/truncated": 0,
  });
});

it("omits absent measures", () => {
  expect(measuresOf([])).toEqual({});
  const names = Object.keys(measuresOf([judged("a", 1), judged("b", 0)]));
  expect(names).toEqual(["reward/std", "length/truncated"]);
  expect(measuresOf([judged("a", 1, { terms: { mean: 3 } })])["reward/mean-term"]).toBe(3);
});

it("counts the samples of a problem, and the problems that are trained on", () => {
  const all = [
    judged("a", 1),
    judged("a", 0),
    judged("a", 0),
    judged("b", 1),
    judged("c", 1),
    judged("c", 1),
  ];
  expect(groupMeasures(all, all.slice(0, 4))).toEqual({ "batch/samples": 2, "batch/groups": 2 });
  expect(groupMeasures(all, [])).toEqual({ "batch/samples": 2, "batch/groups": 0 });
  // If every sample has its own problem, there are no groups.
  expect(groupMeasures([judged("a", 1), judged("b", 0)], [])).toEqual({});
});
