import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { lastRow } from "./last-row.ts";
import { scratch } from "./testing.ts";

const folder = () => {
  const { path, done } = scratch();
  onTestFinished(done);
  return path;
};

const written = (text: string) => {
  const path = join(folder(), "metrics.jsonl");
  writeFileSync(path, text);
  return path;
};
const rows = (n: number) => Array.from({ length: n }, (_, i) => `{"step":${i},"x":1}\n`).join("");

it("returns the last valid line", () => {
  expect(lastRow(written(""))).toBeUndefined();
  expect(lastRow(written('{"step":1}'))).toBeUndefined();
  expect(lastRow(written('{"step":1}\n'))).toEqual({ step: 1 });
  expect(lastRow(written('{"step":1}\nnull\n\n{"step":1e999}\n{"step":2'))).toEqual({ step: 1 });
  expect(lastRow(written(`${rows(5000)}${"x".repeat(100_000)}\n`))).toEqual({ step: 4999, x: 1 });
});

it("reads null as NaN, and leaves out other types", () => {
  const line = '{"step":1,"a":null,"b":[1],"c":{"d":2},"e":true,"f":2}\n';
  expect(lastRow(written(line))).toEqual({ step: 1, a: Number.NaN, f: 2 });
});

it("does not read an empty string as a number", () => {
  expect(lastRow(written('{"step":1,"a":"","b":"NaN","c":"-Infinity","d":" "}\n'))).toEqual({
    ...{ step: 1, a: Number.NaN, b: Number.NaN, c: Number.NEGATIVE_INFINITY, d: Number.NaN },
  });
});

it("finds an earlier row with a metric", () => {
  const text = `{"step":1,"y":2}\n${rows(5000)}{"step":9,"z":"y"}\n`;
  expect(lastRow(written(text), { having: "y" })).toEqual({ step: 1, y: 2 });
  expect(lastRow(written(text), { having: "none" })).toBeUndefined();
});

it("does not search the whole of an arbitrary file", () => {
  const path = written(`{"step":1,"y":2}\n${"x".repeat(3 << 20)}\n`);
  expect([lastRow(path), lastRow(path, { having: "y" })]).toEqual([undefined, undefined]);
});
