import { tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import type { Episode } from "../episode.ts";
import { each, type Judge, type Verdict } from "../judge.ts";
import { scoreOf } from "../selection.ts";
import { played } from "../selections/testing.ts";
import { Statistics } from "../statistics.ts";
import { allOrNothing } from "./all-or-nothing.ts";
import { gate, grouped, sumOf } from "./combine.ts";
import { formatReward, lengthPenalty } from "./length.ts";

const court = { statistics: new Statistics() };
/** An episode with this return. */
const earned = (total: number, group?: string): Episode => ({
  columns: { reward: tensor([total]) },
  segments: [{ from: 0, to: 1 }],
  terminated: true,
  truncated: false,
  return: [total],
  ...(group === undefined ? {} : { group }),
});
const total = each((e) => e.return[0]);
const saying = (verdict: Verdict): Judge => each(() => verdict);
const three = [played({ by: ["environment", "policy", "policy"] }).episode];

describe("several judges", () => {
  it("are summed, gated and grouped", async () => {
    const episodes = [earned(1), earned(3)];
    const both = sumOf({ a: { judge: total, weight: 2 }, b: { judge: each(() => 1), weight: 0.5 } });
    const judged = await both(episodes, court);
    expect(judged.map((v) => v.reward)).toEqual([2.5, 6.5]);
    expect(judged[1].info).toEqual({ a: 3, b: 1 });
    const second = each(() => 10);
    expect((await gate(total, 2, second)(episodes, court)).map((v) => v.reward)).toEqual([1, 13]);
    const best = grouped((es) =>
      es.map((e) => ({ reward: e.return[0] === Math.max(...es.map((o) => o.return[0])) ? 1 : 0 })),
    );
    const compared = await best([earned(1, "a"), earned(5, "b"), earned(2, "a")], court);
    expect(compared.map((v) => v.reward)).toEqual([0, 1, 1]);
  });

  const failing = saying({ reward: 0, failed: "out of memory" });
  const unformed = saying({ reward: 0.5, wellFormed: false, info: { why: "no digits" } });
  const well = saying({ reward: 1, wellFormed: true });

  it("keep failures and formats", async () => {
    const said = async (judge: Judge) => {
      const [{ wellFormed, failed, info }] = await judge([earned(0)], court);
      return {
        ...info,
        ...(wellFormed === undefined ? {} : { wellFormed }),
        ...(failed === undefined ? {} : { failed }),
      };
    };
    const sum = (a: Judge, b: Judge) => sumOf({ a: { judge: a, weight: 1 }, b: { judge: b, weight: 1 } });
    expect(await said(sum(well, failing))).toEqual({
      a: 1,
      b: 0,
      wellFormed: true,
      failed: "b: out of memory",
    });
    expect(await said(sum(well, unformed))).toEqual({ a: 1, b: 0.5, wellFormed: false, why: "no digits" });
    expect(await said(gate(well, 1, failing))).toEqual({ wellFormed: true, failed: "out of memory" });
    expect(await said(gate(failing, 1, well))).toEqual({ wellFormed: true, failed: "out of memory" });
    expect(await said(gate(well, 1, unformed))).toEqual({ wellFormed: false, why: "no digits" });
    for (const judge of [allOrNothing(failing), formatReward(failing, 1), grouped(failing)])
      expect(await said(judge)).toMatchObject({ failed: "out of memory" });
    const paid = formatReward(sum(well, unformed), 0.25);
    expect((await paid([earned(0)], court))[0].reward).toBe(1.5);
  });

  it("keep the task score despite penalties", async () => {
    const priced = lengthPenalty(saying({ reward: 1 }), { weight: 1, limit: 4 });
    const judge = sumOf({
      task: { judge: priced, weight: 2 },
      style: { judge: saying({ reward: 0.5 }), weight: 1 },
    });
    const [verdict] = await judge(three, court);
    expect(verdict.reward).toBe(1.5);
    expect(scoreOf({ episode: three[0], verdict, reward: 1.5 })).toBe(2.5);
    const [gated] = await gate(saying({ reward: 1 }), 1, priced)(three, court);
    expect(gated.score).toBeUndefined();
  });

  it("keep step rewards", async () => {
    const onSteps = saying({ reward: 3, steps: [0, 1, 2] });
    const steps = async (judge: Judge) => {
      const [verdict] = await judge(three, court);
      return verdict.steps && [...(verdict.steps as Float32Array)];
    };
    const two = sumOf({ a: { judge: onSteps, weight: 2 }, b: { judge: well, weight: 10 } });
    expect(await steps(two)).toEqual([0, 2, 14]);
    expect(await steps(gate(onSteps, 3, well))).toEqual([0, 1, 3]);
    expect(await steps(gate(onSteps, 4, well))).toEqual([0, 1, 2]);
    expect(await steps(lengthPenalty(onSteps, { weight: 1, limit: 4 }))).toEqual([0, 1, 1.5]);
    expect(await steps(allOrNothing(onSteps))).toBeUndefined();
    expect(await steps(gate(well, 1, well))).toBeUndefined();
  });

  it("must judge every episode, and have distinct names", async () => {
    const short: Judge = () => [{ reward: 1 }];
    const episodes = [earned(1, "a"), earned(2, "a")];
    const all = [grouped(short), gate(total, 1, short), formatReward(short, 1), allOrNothing(short)];
    for (const judge of [...all, sumOf({ a: { judge: short, weight: 1 } })])
      await expect(async () => judge(episodes, court)).rejects.toThrow("1 verdicts for 2 episodes");
    expect(() => sumOf({ why: { judge: total, weight: 1 } })).toThrow("cannot be named why");
  });
});
