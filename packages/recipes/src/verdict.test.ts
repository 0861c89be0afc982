import { defaultRng } from "@reins/core";
import { describe, expect, it } from "vitest";
import { type Claim, effectOf, slope } from "./claim.ts";
import { bcaInterval, tInterval } from "./interval.ts";
import type { Metric, Outcome } from "./outcome.ts";
import { type ClaimVerdict, classify, decided, judge, verdictOf } from "./verdict.ts";

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
    ["shown", interval(1, 1.5, 3)],
    ["towards", interval(0.1, 1.5, 3)],
    ["towards", interval(0.1, 0.9, 1.7)],
    ["undecided", interval(-0.5, 1.5, 3.5)],
    ["negligible", interval(-0.9, 0, 0.9)],
    ["negligible", interval(0.1, 0.5, 0.9)],
    ["negligible", interval(-0.3, -0.2, -0.1)],
    ["against", interval(-3, -1.5, -0.1)],
    ["reversed", interval(-3, -1.5, -1)],
    ["undecided", interval(-3, -1, 0.5)],
  ] as const)("%s", (verdict, i) => {
    expect(verdictOf(claim, i, [])).toBe(verdict);
  });

  /** All intervals on a lattice around a smallest effect of 1, its ends among them. */
  const lattice = Array.from({ length: 25 }, (_, i) => (i - 12) / 4).flatMap((low, _, all) =>
    all.filter((high) => high >= low).map((high) => ({ low, high })),
  );
  const mirror: Record<ClaimVerdict, ClaimVerdict> = {
    shown: "reversed",
    reversed: "shown",
    towards: "against",
    against: "towards",
    negligible: "negligible",
    undecided: "undecided",
  };

  it("each interval has one, and its mirror image the mirrored one", () => {
    const seen = new Set(lattice.map((i) => classify(i, 1)));
    expect(seen.size).toBe(6);
    for (const { low, high } of lattice)
      expect(classify({ low: -high, high: -low }, 1)).toBe(mirror[classify({ low, high }, 1)]);
  });

  it("a narrower interval never leaves a decided class", () => {
    for (const wide of lattice) {
      const verdict = classify(wide, 1);
      if (!decided.has(verdict)) continue;
      for (const { low, high } of lattice)
        if (low >= wide.low && high <= wide.high) expect(classify({ low, high }, 1)).toBe(verdict);
    }
  });

  it.each([10, 40])(
    "an effect of just the smallest is shown by one measurement in forty (%i seeds)",
    (seeds) => {
      const random = defaultRng(seeds);
      const rounds = 4000;
      let shown = 0;
      for (let i = 0; i < rounds; i++)
        if (classify(tInterval(Array.from({ length: seeds }, () => 1 + 3 * random.normal())), 1) === "shown")
          shown++;
      // 2.5 %, and three standard errors of the simulation.
      expect(shown / rounds).toBeLessThan(0.025 + 3 * Math.sqrt((0.025 * 0.975) / rounds));
      expect(shown / rounds).toBeGreaterThan(0.015);
    },
  );

  it("a margin", () => {
    const margin: Claim = { kind: "no-worse", margin: 2 };
    expect(verdictOf(margin, interval(-1, 0, 1), [])).toBe("shown");
    expect(verdictOf(margin, interval(-5, -4, -3), [])).toBe("reversed");
    expect(verdictOf(margin, interval(-3, -1, 1), [])).toBe("undecided");
  });

  it("an identity holds for every seed or not at all", () => {
    const holds: Claim = { kind: "holds", tolerance: 1e-3 };
    const zero = [outcome(0), outcome(0)];
    expect(judge(holds, metric, zero, [outcome(0), outcome(1e-4)]).verdict).toBe("shown");
    expect(judge(holds, metric, zero, [outcome(0), outcome(1e-2)]).verdict).toBe("reversed");
  });

  it("a certificate that one seed falls below is reversed, whatever the mean", () => {
    const certificate: Claim = { kind: "certificate", smallest: 1 };
    const baseline = [1, 2, 3].map((v) => outcome(v));
    const good = [60, 61, 59].map((v) => outcome(v, { bound: 40 + v - 60 }));
    expect(judge(certificate, metric, baseline, good).verdict).toBe("shown");
    const broken = [...good.slice(1), outcome(39, { bound: 40 })];
    expect(judge(certificate, metric, baseline, broken).verdict).toBe("reversed");
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
