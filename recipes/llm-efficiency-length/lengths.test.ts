import type { Task, TaskItem } from "@reins/core";
import { Statistics } from "@reins/core/metrics";
import { sampleProblem, textEpisode } from "@reins/language";
import { describe, expect, it } from "vitest";
import type { Answer } from "../shared/length-rewards.ts";
import { right, wrong } from "../shared/testing-answers.ts";
import { lengthsTask } from "../testbeds/lengths.ts";
import { autoThink, balanced, pruned } from "./autothink.parts.ts";
import { budgetReward, cosine, hierarchical, withBudgets } from "./hbpo.parts.ts";
import { discovery, internalization, lapo, percentile } from "./lapo.parts.ts";
import { bandOf, laserD, targetLength } from "./laser-d.parts.ts";
import { adaptivePenalty } from "./thinking-fast-right.parts.ts";

const statistics = new Statistics();
const problems = (items: readonly TaskItem[]): Task => ({ next: () => items });

describe("LASER-D", () => {
  it("has the shortest target within which one of the required correct answers is expected", () => {
    const lengths = [3, 4, 5, 6, 7];
    // Easy: one of 5 of 8. Medium: one of 2. Hard: the one, so all lengths must be covered.
    expect([2, 1, 0].map((band) => targetLength(lengths, band, 8, 14))).toEqual([3, 5, 7]);
    expect(targetLength([], 1, 8, 14)).toBe(14);
    expect([0, 0.3, 1 / 3, 0.6, 2 / 3, 1].map(bandOf)).toEqual([0, 0, 1, 1, 2, 2]);
  });

  it("adds a bonus within the target of the band, and estimates it from the batches before", () => {
    const reward = laserD(14, true, 1)();
    const easy = [right(3), right(6), right(6), right(6), wrong(14, { truncated: true })];
    expect(reward([easy])).toEqual([[1.5, 1.5, 1.5, 1.5, -1]]);
    // Of 5 samples 3 must be correct in the easy band: a third of the lengths are covered by 6.
    expect(reward([[right(3), right(6), right(7), right(8), wrong(3)]])).toEqual([[1.5, 1.5, 1, 1, -0.5]]);
  });

  it("has one target for all bands without them", () => {
    const reward = laserD(14, false, 1)();
    reward([
      [right(3), right(3)],
      [wrong(9), wrong(9)],
    ]);
    // Half of the lengths are covered by 3; floor(2 / 3) is below the minimum of one, so all must be covered.
    expect(reward([[right(9), right(10)]])).toEqual([[1.5, 1]]);
  });
});

it("A-DLP raises the penalty while accuracy is above its first value, and lowers it below", () => {
  const reward = adaptivePenalty({ start: 0.1, rate: 0.5 })();
  expect(reward([[right(2), wrong(4)]])).toEqual([[0.8, -0.4]]);
  expect(reward([[right(2), right(4)]])).toEqual([[0.8, 0.6]]);
  // 0.1 + 0.5 (1 − 0.5)
  expect(reward([[wrong(2), wrong(4)]])[0][0]).toBeCloseTo(-0.7, 12);
  // 0.35 − 0.25, and then 0.1 − 0.25, which is held at 0.
  expect(reward([[wrong(2), wrong(4)]])[0][0]).toBeCloseTo(-0.2, 12);
  expect(reward([[right(2), wrong(4)]])).toEqual([[1, 0]]);
});

describe("HBPO", () => {
  it("rewards by the budget within it, and by length and excess beyond it", () => {
    expect(budgetReward(3, 6, 12)).toBeCloseTo(4 * Math.SQRT1_2, 12);
    expect(budgetReward(8, 6, 12)).toBeCloseTo(2 - 2 / 12, 12);
  });

  it("samples a subgroup for each budget, all compared with each other", () => {
    const { task } = withBudgets([3, 9])(problems([{ key: "p", groupSize: 8, context: { level: 2 } }]));
    expect(task.next(statistics)).toEqual([
      { key: "p", group: "1:0", groupSize: 4, context: { level: 2, lead: "1" } },
      { key: "p", group: "1:0", groupSize: 4, context: { level: 2, lead: "2" } },
    ]);
  });

  it("adds the shortfall of a subgroup to the advantage within the problem", () => {
    const [first, second] = [{ context: { lead: "1" } }, { context: { lead: "2" } }];
    const group = [right(4, first), wrong(4, first), right(12, second), wrong(12, second)];
    // Rewards are 4 cos(π / 6) = 3.464, 0, 4 cos(π / 2) = 0 and 0: mean 0.866, standard deviation 1.732.
    const [advantages] = hierarchical([4, 12], 12)()([group]);
    const expected = [1.5 - 1.732, -0.5 - 1.732, -0.5, -0.5];
    for (const [i, a] of advantages.entries()) expect(a).toBeCloseTo(expected[i], 3);
  });

  it("the cosine reward alone is relative to the group", () => {
    const [advantages, none] = cosine(12)()([
      [right(4), wrong(4)],
      [wrong(4), wrong(5)],
    ]);
    expect(advantages[0]).toBeCloseTo(Math.SQRT1_2, 5);
    expect(none).toEqual([0, 0]);
  });
});

describe("AutoThink", () => {
  const isDirect = (a: Answer) => a.text.startsWith("#");
  const direct = { text: "#a" };

  it("moves rewards of a mode with more than half of the batch towards those of a too frequent one", () => {
    const group = [right(3, direct), wrong(3, direct), right(8), wrong(8)];
    expect(balanced(group, isDirect, 0.5)).toEqual([2, -1, 1, 0]);
    expect(balanced(group, isDirect, 0.75)).toEqual([1.5, -1.5, 1, 0]);
    expect(balanced(group, isDirect, 0)).toEqual([2, -1, 0, -1]);
  });

  it("prefers short correct answers and long wrong ones in the last stage", () => {
    const z = Math.SQRT1_2;
    const found = pruned([right(3, direct), right(5), wrong(4)], isDirect);
    const expected = [2 + Math.exp(0.05 * z) - 1, 1 + Math.exp(-0.05 * z) - 1, 0];
    for (const [i, r] of found.entries()) expect(r).toBeCloseTo(expected[i], 12);
  });

  it("goes through three stages of equal numbers of tokens", () => {
    const reward = autoThink({ isDirect, tokens: 30, balances: true })();
    const batch = [[right(5), right(5)]];
    expect([reward(batch), reward(batch), reward(batch)]).toEqual([[[0, 0]], [[1, 1]], [[1, 1]]]);
    expect(autoThink({ isDirect, tokens: 30, balances: false })()(batch)).toEqual([[1, 1]]);
  });
});

describe("LAPO", () => {
  it("rewards lengths between the 30th and 70th percentile of correct ones", () => {
    expect(percentile([7, 3, 5, 4, 6], 0.3)).toBeCloseTo(4.2, 12);
    const found = discovery([3, 4, 5, 6, 7].map((n) => right(n)).concat(wrong(5)));
    const expected = [1 + 0.7 * 0.7, 1 + 0.7 * 0.95, 1.7, 1 + 0.7 * 0.95, 1 + 0.7 * 0.7, 0];
    for (const [i, r] of found.entries()) expect(r).toBeCloseTo(expected[i], 12);
    expect(discovery([wrong(3)])).toEqual([0]);
  });

  it("rewards lengths near the plan", () => {
    const found = internalization([right(6), right(8), wrong(6)], 6);
    expect(found[0]).toBe(1.8);
    expect(found[1]).toBeCloseTo(1 + 0.8 * Math.exp(-0.5), 12);
    expect(found[2]).toBe(0);
  });

  it("announces the median correct length of a problem in the second half, rounded up to a budget", async () => {
    const problem = sampleProblem(lengthsTask, 1, "train", 0);
    const { task, judge } = lapo(true, 10)(problems([{ key: "p", groupSize: 2 }]));
    expect(task.next(statistics)[0].context).toEqual({ problem: "p" });
    const { last } = problem.data;
    const texts = [`aaa#${last}`, `a#${last}`, "#?"].map((text) =>
      textEpisode(
        [
          { by: "environment", tokens: [1] },
          { by: "policy", tokens: [...text].map(() => 2) },
        ],
        {
          truncated: false,
          group: "g",
          context: { problem: "p" },
          answered: { problem, text, ended: "end" },
        },
      ),
    );
    const verdicts = await judge(texts, { statistics });
    expect(verdicts.map((v) => v.score)).toEqual([1, 1, 0]);
    // Lengths 5 and 3: the range is 3.6 to 4.4, and the median 4.
    expect(verdicts[0].reward).toBeCloseTo(1 + 0.7 * 0.85, 12);
    expect(task.next(statistics)[0].context).toEqual({ problem: "p", lead: "2" });
  });
});
