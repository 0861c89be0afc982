import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Journal } from "./journal.ts";

const task = { side: 0, seed: 100, settings: { rate: 1 } };
const result = { value: 1.5, early: [0.25] };

function somewhere(): string {
  const folder = mkdtempSync(join(tmpdir(), "reins-journal-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "not-there-yet", "journal.jsonl");
}

it("keeps results by task, and nothing that was removed", () => {
  const path = somewhere();
  const first = new Journal(path);
  first.add(task, result);
  expect(first.find(task)).toEqual(result);
  const second = new Journal<typeof task, typeof result>(path);
  expect(second.find(task)).toEqual(result);
  expect(second.find({ ...task, seed: 101 })).toBeUndefined();
  second.remove();
  expect(second.find(task)).toBeUndefined();
  expect(new Journal(path).find(task)).toBeUndefined();
});

it("skips lines of another format", () => {
  const path = somewhere();
  new Journal(path, "a").add(task, result);
  writeFileSync(path, `5\nnull\n{}\n[1]\n${readFileSync(path, "utf8")}`);
  const after = new Journal<typeof task, typeof result>(path, "a");
  expect([after.find(task), after.overtaken]).toEqual([result, []]);
});

it("ignores results of other code", () => {
  const path = somewhere();
  new Journal(path, "a").add(task, result);
  expect(new Journal(path, "a").find(task)).toEqual(result);
  expect(new Journal(path, "b").find(task)).toBeUndefined();
  expect(new Journal(path).find(task)).toBeUndefined();
});

it("tolerates an incomplete last line, and loses nothing that is appended", () => {
  const path = somewhere();
  new Journal(path, "a").add(task, result);
  writeFileSync(path, `${readFileSync(path, "utf8")}{"stamp":"a","ta`);
  const behind = { ...task, seed: 101 };
  new Journal(path, "a").add(behind, result);
  const after = new Journal(path, "a");
  expect([after.find(task), after.find(behind)]).toEqual([result, result]);
});
