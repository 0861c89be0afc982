import { describe, expect, it } from "vitest";
import { negotiation } from "./negotiation.ts";
import { accepts, bestDeal, counterOf, type Partner } from "./negotiation-partner.ts";
import { checkMultiTurnTask, scoreOf } from "./testing.ts";
import { saying } from "./testing-conversations.ts";

/** Two books and two hats; books are valuable to the partner, whose total is 8. */
const [counts, theirs] = [
  [2, 2],
  [3, 1],
];
const against = (temper: Partner["temper"], level: number) => ({
  prompt: "2b1 2h2",
  answer: "02",
  data: { counts, mine: [1, 2], partner: { theirs, temper } },
  level,
});

describe("negotiation", () => {
  it("meets the requirements of every environment", () =>
    checkMultiTurnTask(negotiation, { least: 0.9, most: 0.55 }));

  it("rejects with a counter-offer, and accepts offers that leave the partner enough", async () => {
    // Half of 8 is 4: without a book and a hat, 4 are left; without a book and two hats, 3.
    const { heard, verdict } = await saying(negotiation, against("fair", 1), ["12", "22", "02"]);
    expect(heard).toEqual(["02", "02"]);
    expect(verdict.score).toBe(1);
    const less = await saying(negotiation, against("fair", 1), ["12", "11"]);
    expect(less.verdict.score).toBe(3 / 4);
  });

  it("lets the model accept a counter-offer or walk away", async () => {
    const taken = await saying(negotiation, against("stubborn", 2), ["12", "y"]);
    expect(taken.heard).toEqual(["00"]);
    expect(taken.verdict.score).toBe(0);
    const fair = await saying(negotiation, against("fair", 2), ["12", "y"]);
    expect(fair.verdict.score).toBe(1);
    const left = await saying(negotiation, against("fair", 2), ["12", "n", "02"]);
    expect(left.heard).toEqual(["02"]);
    expect(left.verdict.score).toBe(0);
  });

  it("has partners whose demands fall after each rejection, and others whose do not", async () => {
    const partner = (temper: Partner["temper"]) => ({ theirs, temper });
    const takes = (temper: Partner["temper"]) =>
      [0, 1, 2, 3].map((n) => accepts(counts, partner(temper), [1, 2], n));
    expect(takes("fair")).toEqual([false, false, false, false]);
    expect(takes("stubborn")).toEqual([false, false, false, false]);
    expect(takes("yielding")).toEqual([false, false, true, true]);
    expect([0, 1, 2].map((n) => counterOf(counts, partner("yielding"), n))).toEqual([
      [0, 0],
      [0, 2],
      [0, 2],
    ]);
    expect(bestDeal(counts, [1, 2], partner("yielding"), 3)).toEqual([1, 2]);
    const { heard, verdict } = await saying(negotiation, against("yielding", 2), ["12", "12", "12"]);
    expect(heard).toEqual(["00", "02"]);
    expect(verdict.score).toBe(1);
  });

  it("replies to invalid offers with a question mark, and counts them", async () => {
    const { heard, truncated, verdict } = await saying(negotiation, against("fair", 2), [
      "y",
      "",
      "32",
      "021",
      "02",
    ]);
    expect(heard).toEqual(["?", "?", "?"]);
    expect(truncated).toBe(false);
    expect(verdict.score).toBe(0);
  });

  it("is played worse without attention to replies, and best with full information", async () => {
    for (let level = 1; level <= negotiation.levels; level++) {
      expect(await scoreOf(negotiation, "fixed", level)).toBeLessThan(0.85);
      expect(await scoreOf(negotiation, "content", level)).toBeLessThan(0.8);
      expect(await scoreOf(negotiation, "oracle", level)).toBe(1);
    }
  });
});
