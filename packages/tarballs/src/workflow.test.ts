import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { published, root } from "./workspace.ts";

const workflow = readFileSync(join(root, ".github/workflows/ci.yml"), "utf8");

it("tests the oldest supported Node and newer ones, on x64 and arm64", () => {
  const versions = JSON.parse(/node: (\[.*\])/.exec(workflow)![1]) as number[];
  const oldest = Math.min(...published().map((p) => Number(/\d+/.exec(p.manifest.engines!.node!)![0])));
  expect([Math.min(...versions), versions.length]).toEqual([oldest, 3]);
  expect(workflow).toMatch(/runner: \[ubuntu-[\d.]+, ubuntu-[\d.]+-arm\]/);
});

it("runs files that exist", () => {
  const files = [...workflow.matchAll(/^ +- run: .*$/gm)].flatMap(
    ([line]) => line.match(/\.ci\/[\w.]+/g) ?? [],
  );
  expect(files).toEqual([".ci/run", ...Array.from({ length: 4 }, () => ".ci/small.mjs")]);
  for (const file of files) expect(existsSync(join(root, file)), file).toBe(true);
});

it("checks out the history, which the test of commit subjects reads", () => {
  const steps = /\n {2}test:\n[\s\S]*?run: \.ci\/run/.exec(workflow)![0];
  expect(steps).toMatch(/checkout@v4\n {8}with:\n(?: +#.*\n)? {10}fetch-depth: 0\n/);
});
