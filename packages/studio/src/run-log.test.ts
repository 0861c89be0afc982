import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { RunLog } from "./run-log.ts";
import type { RunDetail, RunEvent } from "./run-wire.ts";
import { asking, folder, writeRun } from "./testing.ts";

const row = (step: number, more: object = { "return/mean": step }) =>
  `${JSON.stringify({ step, ...more })}\n`;
const rows = (n: number) => Array.from({ length: n }, (_, i) => row(i)).join("");

it("finds metrics and events in the middle of a long log", async () => {
  const root = folder();
  const path = join(writeRun(root, "a"), "metrics.jsonl");
  const changed = row(5000, { "setting/learningRate": 0.1 });
  writeFileSync(path, rows(5000) + changed + row(5000, { "evaluation/return": "NaN" }) + rows(40_000));
  const { json } = asking(root);
  const names = async () => (await json<RunDetail>("/api/runs/a")).metrics.map(({ name }) => name);
  expect(await names()).toEqual(["return/mean", "setting/learningRate", "evaluation/return"]);
  expect(await json("/api/runs/a/events")).toEqual([
    { step: 5000, kind: "changed", values: { learningRate: 0.1 } },
    { step: 5000, kind: "measured", values: { return: null } },
  ]);
  appendFileSync(path, row(50_000, { late: 1 }) + rows(1));
  expect(await names()).toContain("late");
  // Truncated and continued.
  writeFileSync(path, rows(10));
  expect(await names()).toEqual(["return/mean"]);
  expect(await json("/api/runs/a/events")).toEqual([]);
});

it("reads rows of any names and values", () => {
  const log = new RunLog();
  const odd = { 'a"b': 1, "c.d*": 2, "e,f": 3 };
  const lines = [row(1, odd), row(2, odd), row(3, { ...odd, "c.d*": "NaN" }), row(4, { ...odd, x: 1 })];
  log.take(
    Buffer.from([...lines, "{\n", "[1]\n", row(5, odd), '{"step":6,"y":{"a":1},"z":null}\n'].join("")),
  );
  expect([...log.names]).toEqual(['a"b', "c.d*", "e,f", "x", "z"]);
});

it("limits the names and events kept", () => {
  const log = new RunLog();
  for (let i = 0; i < 20_000; i++) log.take(Buffer.from(row(i, { "evaluation/x": i, [`n${i}`]: 1 })));
  for (let i = 0; i < 3000; i++) log.take(Buffer.from(row(i, { "setting/x": i })));
  log.take(Buffer.from(row(1, { ["n".repeat(1000)]: 1 })));
  expect(log.names.size).toBe(10_000);
  const { length, [length - 1]: last } = log.events as RunEvent[];
  expect([length, last]).toEqual([500, { step: 2999, kind: "changed", values: { x: 2999 } }]);
});
