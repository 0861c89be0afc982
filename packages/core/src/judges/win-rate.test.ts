import { describe, expect, it } from "vitest";
import type { Episode } from "../episode.ts";
import { each } from "../judge.ts";
import { played } from "../selections/testing.ts";
import { Statistics } from "../statistics.ts";
import { winRate } from "./win-rate.ts";

const court = { statistics: new Statistics() };
const inner = each((e) => (e.context as { reward: number }).reward);
const episode = (group: string, reward: number) => played({ group, context: { reward } }).episode;

describe("win rates", () => {
  it("are the share of a group's other episodes with a lower reward; equal ones count half", async () => {
    const episodes = [3, 1, 1, 7].map((r) => episode("a", r));
    const verdicts = await winRate(inner)([...episodes, episode("b", 5)], court);
    expect(verdicts.map((v) => v.reward)).toEqual([2 / 3, 0.5 / 3, 0.5 / 3, 1, 0.5]);
    expect(verdicts.map((v) => v.score)).toEqual([3, 1, 1, 7, 5]);
  });

  it("come from a preference, which may be cyclic, and is asked once for each pair", async () => {
    const asked: string[] = [];
    const beats = [0, 1, 2].map((i) => episode("a", i));
    const verdicts = await winRate(inner, async (one, other) => {
      const [i, j] = [one, other].map((e) => (e.context as { reward: number }).reward);
      asked.push(`${i}${j}`);
      return (i - j + 3) % 3 === 1 ? 1 : 0.2;
    })(beats, court);
    // 1 beats 0 and 2 beats 1 as asked in this order: P(0, 1) = 0.2, P(0, 2) = 1, P(1, 2) = 0.2.
    expect(asked).toEqual(["01", "02", "12"]);
    expect(verdicts.map((v) => v.reward)).toEqual([(0.2 + 1) / 2, (0.8 + 0.2) / 2, (0 + 0.8) / 2]);
  });

  it("are against opponents only, where they are named, which are not compared with others in vain", async () => {
    const asked: string[] = [];
    const prefer = (one: Episode, other: Episode) => {
      const [i, j] = [one, other].map((e) => (e.context as { reward: number }).reward);
      asked.push(`${i}${j}`);
      return i > j ? 0.9 : 0.1;
    };
    const group = [3, 1, 2].map((i) => episode("a", i));
    const verdicts = await winRate(inner, prefer, { opponents: (e) => e === group[2] })(group, court);
    expect(asked).toEqual(["32", "12"]);
    expect(verdicts.map((v) => v.reward)).toEqual([0.9, 0.1, (1 - 0.9 + (1 - 0.1)) / 2]);
  });

  it("refuse what is not a probability", async () => {
    const both = [episode("a", 0), episode("a", 1)];
    await expect(winRate(inner, () => Number.NaN)(both, court)).rejects.toThrow(
      "prefer: returned NaN. Return a probability: a number from 0 to 1.",
    );
    await expect(winRate(inner, () => 1.5)(both, court)).rejects.toThrow("returned 1.5");
  });
});
