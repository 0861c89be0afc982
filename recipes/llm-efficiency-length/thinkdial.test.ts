import { Statistics } from "@reins/core/metrics";
import { sampleProblem, textEpisode } from "@reins/language";
import { expect, it } from "vitest";
import { right, wrong } from "../shared/testing-answers.ts";
import { lengthsTask } from "../testbeds/lengths.ts";
import { leakTerm, lengthTerm, thinkDial } from "./thinkdial.parts.ts";

it("rewards short answers of a group, and does not reward wrong ones for being short", () => {
  const group = [right(3), right(5), wrong(3), wrong(7)];
  expect(group.map((a) => lengthTerm(a, group))).toEqual([0.5, 0, 0, -0.5]);
  expect(lengthTerm(right(4), [right(4), wrong(4)])).toBe(0);
});

it("penalises more than a letter after the end of reasoning", () => {
  expect(["ab#b", "#b", "ab#", "ab#cb", "#abc"].map((text) => leakTerm(right(4, { text })))).toEqual([
    0.5, 0.5, 0.5, -0.5, -0.5,
  ]);
});

it("warms up in the high mode, then rewards length by mode", async () => {
  const statistics = new Statistics();
  const problem = sampleProblem(lengthsTask, 1, "train", 0);
  const item = { key: "p", groupSize: 2, context: { level: 1 } };
  const run = async (apart: boolean) => {
    const { task, judge } = thinkDial({ tokens: 4, apart })({ next: () => [item, item, item] });
    const [leads, rewards]: [unknown[][], number[][]] = [[], []];
    for (let batch = 0; batch < 2; batch++) {
      const items = task.next(statistics);
      leads.push(items.map((p) => p.context?.lead));
      const episodes = items.flatMap(({ context }, i) =>
        [`aa#${problem.data.last}`, `#${problem.data.last}`].map((text) =>
          textEpisode(
            [
              { by: "environment", tokens: [1] },
              { by: "policy", tokens: [...text].map(() => 2) },
            ],
            { truncated: false, group: `${i}`, context, answered: { problem, text, ended: "end" } },
          ),
        ),
      );
      const verdicts = await judge(episodes, { statistics });
      expect(verdicts.every((v) => v.score === 1)).toBe(true);
      rewards.push(verdicts.map((v) => Number(v.reward)));
    }
    return { leads, rewards };
  };
  const { leads, rewards } = await run(true);
  expect(leads).toEqual([
    ["4", "4", "4"],
    ["4", "3", undefined],
  ]);
  // Weights 0, 1/2 and 1 of ∓ 1/2, and 1/2 for an answer without a leak.
  expect(rewards).toEqual([
    [1, 1, 1, 1, 1, 1],
    [1.5, 1.5, 1.25, 1.75, 1, 2],
  ]);
  expect((await run(false)).rewards[1]).toEqual([1.25, 1.75, 1.25, 1.75, 1.25, 1.75]);
});
