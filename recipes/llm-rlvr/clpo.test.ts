import type { JudgedEpisode, Task, TaskItem } from "@reins/core";
import { sampleProblem } from "@reins/language";
import { expect, it } from "vitest";
import { sumsTask } from "../testbeds/sums.ts";
import { change, restructured, rewritten } from "./clpo.parts.ts";

const promptOf = ({ seed = 0, context }: TaskItem) =>
  sampleProblem(sumsTask, Number(context?.level), "train", seed).prompt;
const digits = (prompt: string) => [...prompt.slice(0, -1)].map(Number);
const total = (prompt: string) => digits(prompt).reduce((a, b) => a + b);
const item = (level: number, seed: number): TaskItem => ({
  key: `${level} ${seed}`,
  context: { level },
  seed,
  groupSize: 2,
});
const statistics = {} as Parameters<Task["next"]>[0];

it("rewrites problems so that the answer stays the same", () => {
  let found = 0;
  for (let seed = 0; seed < 10; seed++) {
    const given = item(4, seed);
    const [other, simpler] = [rewritten(given, "diversified", 0), rewritten(given, "simplified", 0)];
    if (other) {
      expect(digits(promptOf(other)).sort()).toEqual(digits(promptOf(given)).sort());
      expect(promptOf(other)).not.toBe(promptOf(given));
      found++;
    }
    if (simpler) {
      expect([digits(promptOf(simpler)).length, total(promptOf(simpler))]).toEqual([
        5,
        total(promptOf(given)),
      ]);
      found++;
    }
  }
  expect(found).toBeGreaterThan(15);
  expect(rewritten(item(1, 3), "simplified", 0)).toBeUndefined();
});

it("has the thresholds of the authors' program", () => {
  expect([0, 0.3, 0.31, 0.7, 0.71, 1].map(change)).toEqual([
    "simplified",
    "simplified",
    "diversified",
    "diversified",
    undefined,
    undefined,
  ]);
});

it("trains on groups with both outcomes, of the original and of the new form", () => {
  const { task, selection } = restructured(true)({ next: () => [item(4, 1), item(4, 2)] });
  const judged = (group: string, rewards: readonly number[]) =>
    rewards.map(
      (reward): JudgedEpisode => ({
        episode: { columns: {}, segments: [], terminated: true, truncated: false, return: [reward], group },
        verdict: { reward },
        reward,
      }),
    );
  expect(task.next(statistics).map((p) => p.group)).toEqual(["0:0", "0:1"]);
  const first = [...judged("0:0", [0, 0]), ...judged("0:1", [1, 1])];
  expect(selection.select(first)).toBeUndefined();
  expect(task.next(statistics)).toMatchObject([{ group: "0:0 again", context: { level: 3 } }]);
  const chosen = selection.select([...first, ...judged("0:0 again", [0, 1])]);
  expect(chosen?.map((j) => [j.episode.group, j.reward])).toEqual([
    ["0:0 again", 0],
    ["0:0 again", 1],
  ]);
  expect(task.next(statistics).map((p) => p.group)).toEqual(["1:0", "1:1"]);
});
