import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { listRuns, readRun } from "./runs.ts";
import { scratch } from "./testing.ts";

const config = {
  ...{ format: 1, reins: "0.1.0", created: "2026-01-01T00:00:00.000Z", options: {}, envOptions: {} },
  ...{ algorithm: "ppo", env: "CartPole-v1", steps: 1000, seed: 0 },
};
/** The list entry of a run with these files beside its configuration. */
const listed = (files: Readonly<Record<string, string>>) => {
  const { path: root, done } = scratch();
  onTestFinished(done);
  mkdirSync(join(root, "a"));
  for (const [name, text] of Object.entries({ "config.json": JSON.stringify(config), ...files }))
    writeFileSync(join(root, "a", name), text);
  return listRuns(root, () => {})[0];
};

it("shows the last return, whatever rows follow", () => {
  const metrics = '{"step":1,"return/mean":5}\n{"step":2,"evaluation/return":7}\n{"step":3,"setting/lr":1}\n';
  expect(listed({ "metrics.jsonl": metrics })).toMatchObject({ steps: 3, return: 5 });
});

it("shows the final return of a run stopped between two rows", () => {
  const metrics = '{"step":1,"return/mean":5}\n';
  const ended = (steps: number, mean: unknown) =>
    listed({ "metrics.jsonl": metrics, "summary.json": JSON.stringify({ steps, training: { mean } }) });
  expect(ended(3, 8).return).toBe(8);
  expect(ended(1, 8).return).toBe(5);
  for (const unknown of ["many", null, "NaN"]) expect(ended(3, unknown).return).toBe(5);
  expect(listed({ "summary.json": '{"steps":3,"training":{"mean":8}}' }).return).toBe(8);
});

it("shows an evaluation even if it equals the return in training", () => {
  const returns = { mean: 500, std: 0, episodes: 100 };
  const told = (more: object) =>
    listed({ "summary.json": JSON.stringify({ steps: 5, return: returns, training: returns, ...more }) })
      .fresh;
  expect(told({ measured: true })).toBe(500);
  expect(told({ measured: false })).toBeNaN();
  for (const mean of [null, "NaN"]) expect(told({ measured: true, return: { ...returns, mean } })).toBeNaN();
  // As in older runs.
  expect(told({})).toBeNaN();
  expect(told({ training: { ...returns, std: 1 } })).toBe(500);
  for (const measured of ["yes", 1, {}]) expect(told({ measured })).toBeNaN();
});

it("ignores invalid values of a summary", () => {
  const told = (summary: unknown) => listed({ "summary.json": JSON.stringify(summary) });
  for (const status of [7, { a: 1 }, "running", "gone", null])
    expect(told({ status, steps: 5 }), `${status}`).toMatchObject({ status: "stopped", steps: 5 });
  expect(told({ status: "finished", steps: "many", seconds: {}, metrics: "x" })).toMatchObject({
    ...{ status: "finished", steps: 0, seconds: 0 },
  });
  for (const nothing of [null, 7, [], "x"]) expect(told(nothing)).toMatchObject({ status: "stopped" });
});

it("an old lock without a process is free", () => {
  for (const lock of ["{}", "7", "null", '{"pid":"x","host":"elsewhere"}']) {
    const run = listed({ lock });
    expect(run).toMatchObject({ status: "running" });
    utimesSync(join(run.path, "lock"), 0, 0);
    expect(readRun(run.path).entry).toMatchObject({ status: "crashed" });
  }
});
