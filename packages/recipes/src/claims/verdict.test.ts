import { defaultRng } from "@reins/core/random";
import { describe, expect, it } from "vitest";
import { tInterval } from "../statistics/interval.ts";
import { type ClaimVerdict, classify, closeTo, decided, noWorse, together } from "./verdict.ts";

describe("verdicts", () => {
  it.each([
    ["shown", 1, 3],
    ["towards", 0.1, 3],
    ["towards", 0.1, 1.7],
    ["undecided", -0.5, 3.5],
    ["negligible", -0.9, 0.9],
    ["negligible", 0.1, 0.9],
    ["negligible", -0.3, -0.1],
    ["against", -3, -0.1],
    ["reversed", -3, -1],
    ["undecided", -3, 0.5],
  ] as const)("%s from %d to %d", (verdict, low, high) => {
    expect(classify({ low, high }, 1)).toBe(verdict);
  });

  /** All intervals on a lattice around a smallest effect of 1, including its ends. */
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
    untestable: "untestable",
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
    "an effect of exactly the smallest is shown by one measurement in forty (%i seeds)",
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

  it("a margin, and a distance", () => {
    expect(noWorse({ low: -1, high: 1 }, 2)).toBe("shown");
    expect(noWorse({ low: -5, high: -3 }, 2)).toBe("reversed");
    expect(noWorse({ low: -3, high: 1 }, 2)).toBe("undecided");
    expect(closeTo({ low: -1, high: 1 }, 2)).toBe("shown");
    expect(closeTo({ low: 2, high: 3 }, 2)).toBe("reversed");
    expect(closeTo({ low: -3, high: -2 }, 2)).toBe("reversed");
    expect(closeTo({ low: 1, high: 3 }, 2)).toBe("undecided");
  });

  it("a joint claim has the verdict of its worst part", () => {
    expect(together(["shown", "shown"])).toBe("shown");
    expect(together(["shown", "towards"])).toBe("towards");
    expect(together(["shown", "negligible", "undecided"])).toBe("negligible");
    expect(together(["untestable", "reversed"])).toBe("reversed");
  });
});
