import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Child } from "./child.ts";
import { Collection } from "./collection.ts";
import { generate } from "./generate.ts";
import { readOptions } from "./options.ts";

it("keeps one of each kind, counts the others, and writes a reproducing test", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reins-findings-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const options = readOptions(["--seed", "3", "--shrink", "0", "--findings", folder]);
  const lines: string[] = [];
  const collection = new Collection(options, (line) => lines.push(line));
  const setting = {
    backend: "wasm" as const,
    threads: 1,
    donate: false,
    bound: false,
    collect: false,
  };
  const finding = (index: number) => ({
    kind: "crash" as const,
    detail: `exit ${index}`,
    programs: [generate(3, index).program],
    setting,
  });
  // Nothing is shrunk, so no process is started.
  await collection.add([finding(1), finding(1), finding(2)], new Child({}));
  expect(collection.found).toBe(3);
  expect(collection.kinds.map((k) => [k.finding.detail, k.times])).toEqual([
    ["exit 1", 2],
    ["exit 2", 1],
  ]);
  expect(readdirSync(folder)).toEqual(["001-crash-3-1.md", "002-crash-3-2.md"]);
  const page = readFileSync(join(folder, "001-crash-3-1.md"), "utf8");
  expect(lines[0]).toBe(page);
  expect(page).toMatch(/^# crash: exit 1\n\nseed 3, program 1, /);
  expect(page).toContain("npm run fuzz -- --seed 3 --program 1");
  expect(page).toContain('it("crash: exit 1"');
});
