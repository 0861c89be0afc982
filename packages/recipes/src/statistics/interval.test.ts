import { defaultRng } from "@reins/core/random";
import { describe, expect, it } from "vitest";
import { exactInterval } from "./exact.ts";
import { bcaInterval, predictionInterval, tInterval } from "./interval.ts";
import { replicatesFor, spreadOf } from "./power.ts";
import { rankCorrelation, ranks, slope } from "./ranks.ts";

describe("intervals", () => {
  it("Student's t, computed by hand", () => {
    // Mean 3, deviation √2.5, and t = 2.7764451 at four degrees of freedom.
    const { estimate, low, high } = tInterval([1, 2, 3, 4, 5]);
    expect(estimate).toBe(3);
    expect(high - 3).toBeCloseTo((2.7764451051977934 * Math.sqrt(2.5)) / Math.sqrt(5), 10);
    expect(3 - low).toBeCloseTo(high - 3, 10);
  });

  it("the bootstrap follows the skew of the samples, and is deterministic", () => {
    const skewed = [0, 0, 0, 0, 1, 1, 2, 3, 10, 40];
    const { estimate, low, high } = bcaInterval(skewed);
    expect(high - estimate).toBeGreaterThan(1.5 * (estimate - low));
    expect(bcaInterval(skewed)).toEqual(bcaInterval(skewed));
    expect(bcaInterval([2, 2, 2])).toMatchObject({ low: 2, high: 2 });
  });

  it("of one sample has no bounds", () => {
    const open = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
    for (const interval of [tInterval, bcaInterval]) expect(interval([5])).toMatchObject(open);
  });

  it("both have about their nominal coverage", () => {
    let state = 12345;
    const uniform = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
    const covered = { t: 0, bca: 0 };
    const rounds = 200;
    for (let i = 0; i < rounds; i++) {
      const samples = Array.from({ length: 20 }, () => uniform() + uniform() + uniform() - 1.5);
      for (const found of [tInterval(samples), bcaInterval(samples)])
        if (found.low <= 0 && found.high >= 0) covered[found.method as "t" | "bca"]++;
    }
    // Within about three standard errors of 95 %; the bootstrap is known to be a little narrow for few samples.
    expect(covered.t / rounds).toBeGreaterThan(0.9);
    expect(covered.bca / rounds).toBeGreaterThan(0.87);
    expect(covered.bca / rounds).toBeLessThan(1);
  });

  it("exact for effects of -1, 0 and 1, and never too narrow", () => {
    // No loss in ten: the share of losses is at most 1 - 0.0125^(1/10).
    const most = 1 - 0.0125 ** (1 / 10);
    expect(exactInterval(Array(10).fill(0))).toMatchObject({
      estimate: 0,
      low: expect.closeTo(-most, 9),
      high: expect.closeTo(most, 9),
    });
    expect(exactInterval(Array(10).fill(1)).low).toBeCloseTo(0.0125 ** 0.1 - most, 9);
    expect(() => exactInterval([0.5])).toThrow("-1, 0 or 1");
    const random = defaultRng(7);
    let covered = 0;
    for (let i = 0; i < 400; i++) {
      const { low, high } = exactInterval(
        Array.from({ length: 12 }, () => Number(random.random() < 0.7) - Number(random.random() < 0.4)),
      );
      if (low <= 0.3 && high >= 0.3) covered++;
    }
    expect(covered / 400).toBeGreaterThan(0.95);
  });

  it("of prediction: the range of one more sample", () => {
    // t = 2.7764451 at four degrees of freedom, deviation √2.5.
    const { low, high } = predictionInterval([1, 2, 3, 4, 5]);
    expect(high - 3).toBeCloseTo(2.7764451051977934 * Math.sqrt(2.5) * Math.sqrt(1.2), 9);
    expect(low).toBeCloseTo(6 - high, 9);
  });
});

describe("ranks", () => {
  it("of ties share their mean", () => {
    expect(ranks([10, 30, 20, 20])).toEqual([1, 4, 2.5, 2.5]);
  });

  it("correlate, by hand: 1 - 6 Σd² / (n (n² - 1))", () => {
    const found = rankCorrelation([1, 2, 3, 4, 5], [2, 1, 4, 3, 5]);
    expect(found.estimate).toBeCloseTo(1 - (6 * 4) / (5 * 24), 12);
    expect(found.low).toBeLessThan(0.2);
    expect(rankCorrelation([1, 2, 3, 4], [8, 6, 4, 2]).estimate).toBe(-1);
    expect(rankCorrelation([1, 2], [1, 2])).toMatchObject({ low: -1, high: 1 });
  });

  it("are unbounded for few pairs, or if one of the two is constant", () => {
    const open = { low: -1, high: 1 };
    expect(rankCorrelation([1, 2, 3, 4, 5], [1, 2, 3, 4, 5])).toMatchObject({ estimate: 1, ...open });
    const many = Array.from({ length: 40 }, (_, i) => i);
    expect(rankCorrelation(Array(40).fill(1), many)).toMatchObject({ estimate: 0, ...open });
  });

  it("cover zero correlation at about their nominal rate", () => {
    const random = defaultRng(3);
    let covered = 0;
    for (let i = 0; i < 1000; i++) {
      const draw = () => Array.from({ length: 20 }, () => random.normal());
      const { low, high } = rankCorrelation(draw(), draw());
      if (low <= 0 && high >= 0) covered++;
    }
    expect(covered / 1000).toBeGreaterThan(0.93);
  });

  it("a slope, by hand", () => {
    expect(slope([0, 1, 2], [1, 4, 7])).toBeCloseTo(3, 12);
  });
});

describe("power", () => {
  it("is 80% at the smallest effect", () => {
    const needed = replicatesFor(2, 1);
    expect(needed).toBe(Math.ceil((2.8015855 * 2) ** 2 + 2));
    const random = defaultRng(11);
    let detected = 0;
    for (let i = 0; i < 2000; i++)
      if (tInterval(Array.from({ length: needed }, () => 1 + 2 * random.normal())).low > 0) detected++;
    expect(detected / 2000).toBeGreaterThan(0.77);
    expect(detected / 2000).toBeLessThan(0.84);
    expect(spreadOf([1, 2, 3, 4, 5])).toBeCloseTo(Math.sqrt(2.5), 12);
  });
});
