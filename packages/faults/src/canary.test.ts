import { appendFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { changesBetween, digestsOf, writeCanary } from "./canary.ts";
import { scratch } from "./scratch.ts";

it("detects files that are created, changed or deleted among canaries", () => {
  const { fresh, close } = scratch();
  onTestFinished(close);
  const folder = fresh("canary");
  writeCanary(folder);
  const before = digestsOf(folder);
  expect(changesBetween(before, digestsOf(folder))).toEqual([]);
  appendFileSync(join(folder, "metrics.jsonl"), "x");
  rmSync(join(folder, "episodes", "7.safetensors"));
  writeFileSync(join(folder, "checkpoints", "new"), "");
  rmSync(join(folder, "file"));
  symlinkSync("lock", join(folder, "file"));
  expect(changesBetween(before, digestsOf(folder)).sort()).toEqual([
    "checkpoints/new was created",
    "episodes/7.safetensors was deleted",
    "file was changed",
    "metrics.jsonl was changed",
  ]);
});
