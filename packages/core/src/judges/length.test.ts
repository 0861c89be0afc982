import { describe, expect, it } from "vitest";
import type { Maker } from "../episode.ts";
import { each, type Judge } from "../judge.ts";
import { scoreOf } from "../selection.ts";
import { type Played, played } from "../selections/testing.ts";
import { Statistics } from "../statistics.ts";
import { budgetPenalty, formatReward, lengthPenalty, overlongPenalty } from "./length.ts";

const court = { statistics: new Statistics() };
const steps = (n: number): Maker[] => Array.from({ length: n }, () => "policy");
const text = (length: number, more: Played = {}) =>
  played({ by: ["environment", ...steps(length), "tool"], ...more });
/** Takes reward and format from the episode's context. */
const given = each((e) => ({
  reward: (e.context as { pay: number }).pay,
  wellFormed: (e.context as { formed?: number }).formed === 1,
  info: { why: "because" },
}));
const judge = async (by: Judge, plays: readonly Played[], lengths: readonly number[]) =>
  by(
    plays.map((p, i) => text(lengths[i], p).episode),
    court,
  );
const rewards = async (...args: Parameters<typeof judge>) => (await judge(...args)).map((v) => v.reward);
const pays = (list: readonly number[], group = "g") => list.map((pay) => ({ group, context: { pay } }));

describe("a length penalty", () => {
  const lengths = [10, 5, 2, 0];
  const plays = pays([1, 1, 0, 0.5]);

  it("for all: only the policy's own steps count", async () => {
    const all = lengthPenalty(given, { weight: 0.5, limit: 10 });
    expect(await rewards(all, plays, lengths)).toEqual([0.5, 0.75, -0.1, 0.5]);
  });

  it("for correct answers only", async () => {
    const solved = lengthPenalty(given, { weight: 0.5, limit: 10, by: "solved" });
    expect(await rewards(solved, plays, lengths)).toEqual([0.5, 0.75, 0, 0.5]);
    const half = lengthPenalty(given, { weight: 0.5, limit: 10, by: "solved", least: 0.5 });
    expect(await rewards(half, pays([0.5, 0.4]), [10, 10])).toEqual([0, 0.4]);
  });

  it("by the group's success rate, with a minimum of one success", async () => {
    const rate = lengthPenalty(given, { weight: 0.8, limit: 10, by: "rate" });
    // Two of four are correct: each has half of the penalty. In the other group none of two is: each has a half, as if one were.
    const two = [...plays, ...pays([0, 0], "h")];
    const found = await rewards(rate, two, [...lengths, 10, 5]);
    expect(found).toEqual([1 - 0.4, 1 - 0.2, -0.08, 0.5, -0.4, -0.2]);
  });

  it("follows a weight that changes", async () => {
    let weight = 1;
    const moving = lengthPenalty(given, { weight: () => weight, limit: 10 });
    expect(await rewards(moving, pays([1]), [5])).toEqual([0.5]);
    weight = 0;
    expect(await rewards(moving, pays([1]), [5])).toEqual([1]);
  });
});

it("the last steps before the limit cost more and more", async () => {
  const soft = overlongPenalty(given, { limit: 20, margin: 4 });
  const lengths = [0, 15, 16, 17, 18, 20, 25];
  expect(await rewards(soft, pays(lengths.map(() => 1)), lengths)).toEqual([1, 1, 1, 0.75, 0.5, 0, 0]);
});

it("missing the budget costs in both directions, and nothing without a budget", async () => {
  const near = budgetPenalty(given, { weight: 2, limit: 10 });
  const budget = (b: number) => ({ context: { pay: 1, budget: b } });
  expect(await rewards(near, [budget(5), budget(5), budget(5), ...pays([1])], [5, 3, 8, 3])).toEqual([
    1, 0.6, 0.4, 1,
  ]);
});

it("a format is rewarded for correct and wrong answers", async () => {
  let weight = 0.25;
  const form = formatReward(given, () => weight);
  const plays: Played[] = [
    { context: { pay: 1, formed: 1 } },
    { context: { pay: 0, formed: 1 } },
    { context: { pay: 1 } },
  ];
  expect(await rewards(form, plays, [1, 1, 1])).toEqual([1.25, 0.25, 1]);
  weight = 0.5;
  expect(await rewards(form, plays, [1, 1, 1])).toEqual([1.5, 0.5, 1]);
  expect(await rewards(formatReward(given, 0.1), plays.slice(0, 1), [1])).toEqual([1.1]);
});

it("the task score is kept through all of them", async () => {
  const all = overlongPenalty(
    budgetPenalty(lengthPenalty(formatReward(given, 0.3), { weight: 0.5, limit: 10, by: "solved" }), {
      weight: 1,
      limit: 10,
    }),
    { limit: 10, margin: 5 },
  );
  const plays: Played[] = [
    { context: { pay: 1, formed: 1, budget: 8 } },
    { context: { pay: 0.8, formed: 1, budget: 8 } },
    { context: { pay: 0 } },
  ];
  const verdicts = await judge(all, plays, [10, 10, 10]);
  expect(verdicts.map(({ wellFormed: formed, score, info }) => ({ formed, score, ...info }))).toEqual(
    [1, 0.8, 0].map((score, i) => ({ formed: i < 2, why: "because", score })),
  );
  // Formed but wrong (0.8 and 0.3 for the format) is not solved: no length penalty, but those for the budget and the limit.
  const found = verdicts.map((v) => v.reward as number);
  [1 + 0.3 - 0.5 - 0.2 - 1, 0.8 + 0.3 - 0.2 - 1, -1].forEach((x, i) => expect(found[i]).toBeCloseTo(x, 12));
  const { episode } = text(10);
  expect(verdicts.map((verdict) => scoreOf({ episode, verdict, reward: -5 }))).toEqual([1, 0.8, 0]);
});

it("components count as their sum", async () => {
  const parts: Judge = (episodes) => episodes.map(() => ({ reward: [0.25, 0.75] }));
  expect(await judge(lengthPenalty(parts, { weight: 1, limit: 10 }), pays([0]), [5])).toEqual([
    { reward: 0.5, score: 1 },
  ]);
});
