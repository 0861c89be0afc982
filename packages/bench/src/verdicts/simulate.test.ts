import { describe, expect, it } from "vitest";
import { mostByChance, simulate } from "./simulate.ts";

describe("verdicts through the whole protocol", () => {
  it("a zero effect is rarely shown", async () => {
    const recipes = 100;
    const { pooled, blocks } = await simulate(recipes, 0, "on");
    for (const rates of [pooled, ...blocks]) expect(rates.shown).toBeLessThan(mostByChance(recipes));
    expect(Object.values(pooled).reduce((a, b) => a + b, 0)).toBeCloseTo(1, 10);
    expect(pooled.negligible).toBeGreaterThan(0.5);
  });

  it.each(["on", "between"] as const)(
    "the smallest effect is shown by one recipe in forty, with optima %s points",
    async (optima) => {
      const recipes = 150;
      const { pooled, blocks } = await simulate(recipes, 1, optima);
      for (const rates of [pooled, ...blocks]) expect(rates.shown).toBeLessThan(mostByChance(recipes));
      expect(pooled.towards).toBeGreaterThan(0.5);
    },
  );

  it("twice the smallest effect is shown", async () => {
    expect((await simulate(60, 2, "on")).pooled.shown).toBeGreaterThan(0.7);
  });
});
