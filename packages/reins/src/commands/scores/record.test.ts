import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder } from "../../cli/testing.ts";
import { openRecord, recordPath, type ScoreRecord, writeScores } from "./record.ts";

const empty: ScoreRecord = {
  ...{ algorithm: "ppo", env: "CartPole-v1", envOptions: {}, steps: 1000, options: {}, wrappers: [] },
  ...{ command: "reins train ppo CartPole-v1", reins: "0", machine: "any", scores: [] },
};
const score = (seed: number) => ({
  ...{ seed, return: { mean: seed, std: 0 } },
  ...{ episodes: 1, steps: 1000, stepsPerSecond: 1, seconds: 1 },
});
const seedsIn = (path: string) => openRecord(path, empty, false).scores.map((s) => s.seed);

describe("files of scores", () => {
  it("keep the scores of a process that writes at the same time", () => {
    const path = folder();
    writeScores(path, { ...empty, scores: [score(102)] }, false);
    writeScores(path, { ...empty, scores: [score(100)] }, false);
    expect(seedsIn(path)).toEqual([100, 102]);
    writeScores(path, { ...empty, scores: [score(103)] }, true);
    expect(seedsIn(path)).toEqual([103]);
  });

  it("can be beside other files", () => {
    const path = folder();
    const others = { "package.json": "{}", "other.json": '{"scores": [1]}', "table.md": "# Mine\n" };
    for (const [name, text] of Object.entries(others)) writeFileSync(join(path, name), text);
    writeScores(path, { ...empty, scores: [score(100)] }, false);
    for (const [name, text] of Object.entries(others))
      expect(readFileSync(join(path, name), "utf8")).toBe(text);
    expect(seedsIn(path)).toEqual([100]);
  });

  it("refuse scores that were measured in another way", () => {
    const path = folder();
    writeScores(path, { ...empty, scores: [score(100)] }, false);
    const now = { ...empty, command: `${empty.command} --eval-episodes=20 --solved` };
    expect(() => openRecord(path, now, false)).toThrow(
      "the file has scores of other settings (flags none, now --eval-episodes=20 --solved). Add --fresh",
    );
    expect(openRecord(path, { ...now, command: empty.command }, false).scores).toHaveLength(1);
  });

  it("refuse a file of something else", () => {
    const path = folder();
    writeFileSync(recordPath(path, empty), '{"scores": 3}');
    expect(() => writeScores(path, { ...empty, scores: [score(100)] }, false)).toThrow(
      "not a valid file of scores",
    );
  });
});
