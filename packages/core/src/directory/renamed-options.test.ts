import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { currentNames } from "../renamed-options.ts";
import { configOf, readConfig, writeConfig } from "./config.ts";
import { disk } from "./files.ts";
import { checkConfig, identityOf } from "./identity.ts";

const folder = mkdtempSync(join(tmpdir(), "reins-renamed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const before = { plays: 8, hold: "dual", formWeight: 0.1, gamma: 0.9 };
const now = { groupSize: 8, ratioBound: "dual", formatWeight: 0.1, gamma: 0.9 };

it("gives stored options their current names", () => {
  expect(currentNames(before)).toEqual(now);
  expect(currentNames({ hold: 4, goalFractions: 8, dropped: 2 })).toEqual({
    maxRepeat: 4,
    targetFractions: 8,
    droppedAtoms: 2,
  });
});

it("reads runs and checkpoints written with the names of version 0.1", () => {
  const old = configOf({ algorithm: "grpo", env: "countdown", steps: 10, seed: 1, options: before });
  writeConfig(disk, folder, old);
  const config = readConfig(folder);
  expect(config.options).toEqual(now);
  const head = { steps: 5, reins: "0.1.0", config: identityOf(old) } as Parameters<typeof checkConfig>[2];
  const warnings: string[] = [];
  expect(() => checkConfig(folder, config, head, (w) => warnings.push(w))).not.toThrow();
  expect(warnings).toEqual([]);
  const file = join(folder, "config.json");
  writeFileSync(file, readFileSync(file, "utf8").replace('"plays": 8', '"plays": 9'));
  expect(() => checkConfig(folder, readConfig(folder), head, () => {})).toThrow(
    "options.groupSize is 9 instead of 8",
  );
});
