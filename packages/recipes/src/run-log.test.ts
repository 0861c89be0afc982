import { expect, it } from "vitest";
import { RunLog } from "./run-log.ts";

it("keeps the losses of the first three updates, also with rounds without an update", () => {
  const log = new RunLog();
  const rounds: Record<string, number>[] = [
    { "return/mean": 1 },
    { "loss/policy": 0.1, "loss/value": 0.2 },
    { "loss/policy": Number.NaN },
    { "loss/policy": 0.3, "gradient/norm": 9 },
    { "loss/policy": 0.4 },
    { "loss/policy": 0.5 },
  ];
  for (const metrics of rounds) log.note(metrics);
  expect(log.early).toEqual([0.1, 0.2, 0.3, 0.4]);
  expect(log.means).toEqual({});
});

it("averages the given metrics over the rounds that measured them", () => {
  const log = new RunLog(["policy/entropy", "never"]);
  log.note({ "policy/entropy": 1, other: 5 });
  log.note({ other: 5 });
  log.note({ "policy/entropy": 4 });
  log.note({ "policy/entropy": Number.NaN });
  log.add("own", 2);
  expect(log.means).toEqual({ "policy/entropy": 2.5, own: 2 });
  expect(log.mean("policy/entropy")).toBe(2.5);
  expect(log.mean("never")).toBeNaN();
});
