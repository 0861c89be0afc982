import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runsWithEpisodes } from "./episode-runs.ts";
import { RunsFolder } from "./folder.ts";
import { folder, writeRun } from "./testing.ts";

it("lists runs with episodes without following links", async () => {
  const root = folder();
  const [filmed] = ["filmed", "empty", "linked", "plain"].map((name) => writeRun(root, name));
  mkdirSync(join(filmed, "episodes"));
  writeFileSync(join(filmed, "episodes", "1.json"), "{}");
  mkdirSync(join(root, "empty", "episodes"));
  writeFileSync(join(root, "empty", "episodes", "notes.txt"), "");
  symlinkSync(join(filmed, "episodes"), join(root, "linked", "episodes"));
  expect(await runsWithEpisodes(new RunsFolder(root))).toEqual(["filmed"]);
});
