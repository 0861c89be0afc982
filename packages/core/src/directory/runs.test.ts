import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { listRuns, readRun } from "./runs.ts";
import { scratch } from "./testing.ts";

const config = {
  ...{ format: 1, reins: "0.1.0", created: "2026-01-01T00:00:00.000Z", options: {}, envOptions: {} },
  ...{ algorithm: "ppo", env: "CartPole-v1", steps: 1000, seed: 0 },
};
/** A run with these files beside its configuration, as the list has it. */
const listed = (files: Readonly<Record<string, string>>) => {
  const { path: root, done } = scratch();
  onTestFinished(done);
  mkdirSync(join(root, "a"));
  for (const [name, text] of Object.entries({ "config.json": JSON.stringify(config), ...files }))
    writeFileSync(join(root, "a", name), text);
  return listRuns(root, () => {})[0];
};

it("a run's return is the last that there is, whatever was noted after it", () => {
  const metrics = '{"step":1,"return/mean":5}\n{"step":2,"evaluation/return":7}\n{"step":3,"setting/lr":1}\n';
  expect(listed({ "metrics.jsonl": metrics })).toMatchObject({ steps: 3, return: 5 });
});

it("a summary that says what cannot be is not believed", () => {
  const told = (summary: unknown) => listed({ "summary.json": JSON.stringify(summary) });
  for (const status of [7, { a: 1 }, "running", "gone", null])
    expect(told({ status, steps: 5 }), `${status}`).toMatchObject({ status: "stopped", steps: 5 });
  expect(told({ status: "finished", steps: "many", seconds: {}, metrics: "x" })).toMatchObject({
    ...{ status: "finished", steps: 0, seconds: 0 },
  });
  for (const nothing of [null, 7, [], "x"]) expect(told(nothing)).toMatchObject({ status: "stopped" });
});

it("a lock that names no process is nobody's, once it is old", () => {
  for (const lock of ["{}", "7", "null", '{"pid":"x","host":"elsewhere"}']) {
    const run = listed({ lock });
    expect(run).toMatchObject({ status: "running" });
    utimesSync(join(run.path, "lock"), 0, 0);
    expect(readRun(run.path).entry).toMatchObject({ status: "crashed" });
  }
});
