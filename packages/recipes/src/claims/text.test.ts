import { describe, expect, it } from "vitest";
import type { Claim } from "./claim.ts";
import type { Judgement } from "./judge.ts";
import { claimText, effectOf, effectText } from "./text.ts";

const because = "it is an example";
const claim: Claim = { metric: "score", smallest: 1, because };
const ratio: Claim = { ...claim, kind: "ratio", smallest: 1.01 };
const found = (estimate: number, low: number, high: number, label = "new and old"): Judgement => ({
  label,
  estimate,
  low,
  high,
  method: "t",
  verdict: "shown",
});
const logs = (...factors: [number, number, number]) =>
  found(...(factors.map(Math.log) as [number, number, number]));

describe("effects as text", () => {
  it("have as many decimals at both ends as at the estimate", () => {
    expect(effectText(claim, found(2.0826, 1.4331, 2.5501))).toBe("2.08 (1.43 to 2.55)");
    expect(effectText(claim, found(-0.000164, -0.000288, 0.0000062))).toBe(
      "-0.000164 (-0.000288 to 0.000006)",
    );
    expect(effectText(claim, found(-2512.4, -2882.1, -2142.2))).toBe("-2512 (-2882 to -2142)");
    expect(effectText(claim, found(0, 0, 0))).toBe("0 (0 to 0)");
    expect(effectText(claim, found(0.00001, -1.2, 1.2))).toBe("0.00 (-1.20 to 1.20)");
  });

  it("show the precision of a factor near one", () => {
    expect(effectText(ratio, logs(1.0617, 1.0609, 1.0626))).toBe("×1.0617 (×1.0609 to ×1.0626)");
    expect(effectText(ratio, logs(12.69, 9.52, 14.58))).toBe("×12.7 (×9.5 to ×14.6)");
  });

  it("name the deciding pair if several are compared", () => {
    const each: Claim = { ...claim, contrast: ["new", "each"] };
    const judged = { ...found(2, 1, 3, "new and other"), note: "little is left" };
    expect(effectOf(each, judged)).toBe("2.00 (1.00 to 3.00) for new and other; little is left");
    expect(effectOf(claim, judged)).toBe("2.00 (1.00 to 3.00); little is left");
  });
});

it("a claim names its best baseline once known, by the metric of the baseline", () => {
  const metric = { about: "score", better: "higher", worst: 0, best: 1 } as const;
  const names = { system: "new", baselines: ["old", "older"], metrics: { score: metric, start: metric } };
  const best = { score: "old", start: "older" };
  expect(claimText(claim, names)).toContain("new against its best baseline:");
  expect(claimText(claim, { ...names, best })).toContain("new against old, its best baseline:");
  const pair: Claim = { ...claim, metric: ["score", "start"] };
  expect(claimText(pair, { ...names, best })).toContain("new against older, its best baseline:");
});
