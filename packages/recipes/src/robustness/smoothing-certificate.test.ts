import { normalProbability } from "@reins/core/evaluations";
import { defaultRng } from "@reins/core/random";
import { describe, expect, it } from "vitest";
import { certifiedReturn } from "./smoothing-certificate.ts";

describe("the certificate", () => {
  const [noise, budget] = [0.5, 0.4];

  it("is what the worst adversary leaves of a linear rule, and no more", () => {
    // Four steps; the return is 1 if the sum of the observations is below 1. The worst that a budget can do is to push all
    // observations the same way: the sum rises by budget · √4, and its deviation is noise · √4.
    const random = defaultRng(1);
    const episodes = 40_000;
    const play = (push: number) =>
      Float64Array.from({ length: episodes }, () => {
        let sum = 0;
        for (let t = 0; t < 4; t++) sum += push + noise * random.standardNormal();
        return sum < 1 ? 1 : 0;
      });
    const bound = certifiedReturn(play(0), { noise, budget, levels: [1] });
    const attacked = normalProbability((1 - budget * 2) / (noise * 2));
    expect(bound).toBeLessThan(attacked);
    expect(bound).toBeGreaterThan(attacked - 0.02);
    const measured = play(budget / 2).reduce((a, b) => a + b, 0) / episodes;
    expect(measured).toBeGreaterThan(bound);
  });

  it("sums levels, falls with the budget and is 0 without successes", () => {
    const returns = Float64Array.from({ length: 500 }, (_, i) => (i % 2 ? 10 : 4));
    const of = (b: number, levels = [4, 10]) => certifiedReturn(returns, { noise, budget: b, levels });
    expect(of(0)).toBeLessThan(7);
    expect(of(0)).toBeGreaterThan(6.4);
    expect(of(0.2)).toBeLessThan(of(0));
    expect(of(0.2, [11])).toBe(0);
    expect(() => of(0, [4, 4])).toThrow("levels must ascend");
  });
});
