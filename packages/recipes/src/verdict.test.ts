import { describe, expect, it } from "vitest";
import { type Claim, effectOf, slope } from "./claim.ts";
import { bcaInterval, tInterval } from "./interval.ts";
import type { Metric, Outcome } from "./outcome.ts";
import { judge, verdictOf } from "./verdict.ts";

const metric: Metric = { name: "return", better: "higher", worst: -100 };
const outcome = (value: number, more: Partial<Outcome> = {}): Outcome => ({
  value,
  early: [],
  used: 0,
  ...more,
});
const interval = (low: number, estimate: number, high: number) => ({
  low,
  estimate,
  high,
  method: "t" as const,
});

describe("intervals", () => {
  it("Student's t, computed by hand", () => {
    // Mean 3, deviation √2.5, and t = 2.776 at four degrees of freedom.
    const { estimate, low, high } = tInterval([1, 2, 3, 4, 5]);
    expect(estimate).toBe(3);
    expect(high - 3).toBeCloseTo((2.776 * Math.sqrt(2.5)) / Math.sqrt(5), 10);
    expect(3 - low).toBeCloseTo(high - 3, 10);
  });

  it("the bootstrap leans to where the samples are skewed, and is the same each time", () => {
    const skewed = [0, 0, 0, 0, 1, 1, 2, 3, 10, 40];
    const { estimate, low, high } = bcaInterval(skewed);
    expect(high - estimate).toBeGreaterThan(1.5 * (estimate - low));
    expect(bcaInterval(skewed)).toEqual(bcaInterval(skewed));
    expect(bcaInterval([2, 2, 2])).toMatchObject({ low: 2, high: 2 });
  });

  it("both cover the mean about as often as they say", () => {
    let state = 12345;
    const uniform = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
    const covered = { t: 0, bca: 0 };
    const rounds = 200;
    for (let i = 0; i < rounds; i++) {
      const samples = Array.from({ length: 20 }, () => uniform() + uniform() + uniform() - 1.5);
      for (const found of [tInterval(samples), bcaInterval(samples)])
        if (found.low <= 0 && found.high >= 0) covered[found.method]++;
    }
    // Within about three standard errors of 95 %; the bootstrap is known to be a little narrow for few samples.
    expect(covered.t / rounds).toBeGreaterThan(0.9);
    expect(covered.bca / rounds).toBeGreaterThan(0.87);
    expect(covered.bca / rounds).toBeLessThan(1);
  });
});

describe("effects point to the claimed side", () => {
  const lower: Metric = { ...metric, better: "lower" };
  const cases: [string, Claim, Metric, Outcome, Outcome, number][] = [
    ["a difference", { kind: "difference", smallest: 1 }, metric, outcome(3), outcome(5), 2],
    ["where lower is better", { kind: "difference", smallest: 1 }, lower, outcome(5), outcome(3), 2],
    [
      "a negative result",
      { kind: "difference", smallest: 1, direction: "lower" },
      metric,
      outcome(5),
      outcome(3),
      2,
    ],
    ["a ratio", { kind: "ratio", smallest: 1.1 }, metric, outcome(2), outcome(6), Math.log(3)],
    ["a ratio of costs", { kind: "ratio", smallest: 1.1 }, lower, outcome(6), outcome(2), Math.log(3)],
    [
      "a slope",
      { kind: "slope", over: [0, 1, 2], smallest: 1 },
      metric,
      outcome(0, { series: [0, 1, 2] }),
      outcome(0, { series: [1, 4, 7] }),
      2,
    ],
    ["a violation", { kind: "holds", tolerance: 0.1 }, metric, outcome(0), outcome(0.04), 0.06],
    [
      "a certificate",
      { kind: "certificate", smallest: 1 },
      metric,
      outcome(10),
      outcome(50, { bound: 40 }),
      30,
    ],
  ];
  it.each(cases)("%s", (_, claim, m, baseline, system, effect) => {
    expect(effectOf(claim, m, baseline, system)).toBeCloseTo(effect, 12);
  });

  it("says what is missing", () => {
    expect(() => slope([1, 2], [1])).toThrow("a series of 2 numbers");
    expect(() => effectOf({ kind: "ratio", smallest: 2 }, metric, outcome(0), outcome(1))).toThrow("above 0");
  });
});

describe("verdicts", () => {
  const claim: Claim = { kind: "difference", smallest: 1 };
  it.each([
    ["shown", interval(0.1, 1.5, 3)],
    ["undecided", interval(0.1, 0.9, 1.7)],
    ["undecided", interval(-0.5, 1.5, 3.5)],
    ["no effect", interval(-0.9, 0, 0.9)],
    ["no effect", interval(0.1, 0.5, 0.9)],
    ["contradicted", interval(-3, -1.5, -0.1)],
    ["contradicted", interval(-0.3, -0.2, -0.1)],
    ["undecided", interval(-3, -1, 0.5)],
  ] as const)("%s", (verdict, i) => {
    expect(verdictOf(claim, i, [])).toBe(verdict);
  });

  it("a margin", () => {
    const noWorse: Claim = { kind: "no-worse", margin: 2 };
    expect(verdictOf(noWorse, interval(-1, 0, 1), [])).toBe("shown");
    expect(verdictOf(noWorse, interval(-5, -4, -3), [])).toBe("contradicted");
    expect(verdictOf(noWorse, interval(-3, -1, 1), [])).toBe("undecided");
  });

  it("an identity holds for every seed or not at all", () => {
    const holds: Claim = { kind: "holds", tolerance: 1e-3 };
    const zero = [outcome(0), outcome(0)];
    expect(judge(holds, metric, zero, [outcome(0), outcome(1e-4)]).verdict).toBe("shown");
    expect(judge(holds, metric, zero, [outcome(0), outcome(1e-2)]).verdict).toBe("contradicted");
  });

  it("a certificate that one seed falls below is contradicted, whatever the mean", () => {
    const certificate: Claim = { kind: "certificate", smallest: 1 };
    const baseline = [1, 2, 3].map((v) => outcome(v));
    const good = [60, 61, 59].map((v) => outcome(v, { bound: 40 + v - 60 }));
    expect(judge(certificate, metric, baseline, good).verdict).toBe("shown");
    const broken = [...good.slice(1), outcome(39, { bound: 40 })];
    expect(judge(certificate, metric, baseline, broken).verdict).toBe("contradicted");
  });

  it("pairs seeds: what both sides share cancels", () => {
    const shared = [10, -40, 25, 80, -5];
    const { verdict, estimate } = judge(
      claim,
      metric,
      shared.map((v) => outcome(v)),
      shared.map((v, i) => outcome(v + 2 + 0.1 * (i - 2))),
    );
    expect(verdict).toBe("shown");
    expect(estimate).toBeCloseTo(2, 10);
  });
});
