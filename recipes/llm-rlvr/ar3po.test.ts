import type { JudgedEpisode, Task } from "@reins/core";
import { expect, it } from "vitest";
import { compared, staged } from "./ar3po.parts.ts";

const group = (name: string, rewards: readonly number[], problem = "12="): JudgedEpisode[] =>
  rewards.map((reward) => ({
    episode: {
      columns: {},
      segments: [],
      terminated: true,
      truncated: false,
      return: [reward],
      group: name,
      problem,
    },
    verdict: { reward },
    reward,
  }));
const rounded = (judged: readonly JudgedEpisode[]) => judged.map((j) => Math.round(100 * j.reward));

it("compares wrong answers with an earlier success that is not trained on", () => {
  // Rewards 0, 0, 0 and 1: mean 1/4, deviation 1/2, advantages −1/2 and 3/2.
  expect(rounded(compared(group("a", [0, 0, 0, 0]), true))).toEqual([-50, -50, -50]);
  expect(rounded(compared(group("a", [0, 1, 0, 0]), false))).toEqual([-50, 150, -50, -50]);
});

it("samples unsolved problems again, and reuses a success of the problem only", () => {
  const given: Task = { next: () => [{ key: "p", groupSize: 2 }] };
  const statistics = {} as Parameters<Task["next"]>[0];
  const { task, selection } = staged(true)(given);
  const round = (first: readonly number[], second: readonly number[], problem: string) => {
    const [{ group: name = "" }] = task.next(statistics);
    const judged = group(name, first, problem);
    const chosen = selection.select(judged);
    if (chosen) return rounded(chosen);
    expect(task.next(statistics)).toMatchObject([{ group: name, groupSize: 2 }]);
    return rounded(selection.select([...judged, ...group(name, second, problem)]) ?? []);
  };
  expect(round([0, 1], [], "12=")).toEqual([-71, 71]);
  expect(round([0, 0], [0, 0], "13=")).toEqual([0, 0, 0, 0]);
  expect(round([0, 0], [0, 0], "12=")).toEqual([-50, -50, -50]);
  expect(round([0, 0], [0, 1], "13=")).toEqual([-50, -50, -50, 150]);
});
