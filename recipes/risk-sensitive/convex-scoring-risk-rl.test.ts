import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import * as risk from "./convex-scoring-risk-rl.parts.ts";

const market = risk.randomMarket(defaultRng(1));

it("is the mean of the worst share, and the least of v plus the score", () => {
  const losses = new Float64Array(2 * risk.widest + 1);
  losses[risk.widest] = 0.7;
  losses[risk.widest + 4] = 0.2;
  losses[risk.widest + 10] = 0.1;
  // Of the worst fifth one half is 10, the other 4.
  expect(risk.shortfallOf(losses, 0.8)).toBeCloseTo(7, 12);
  const score = risk.shortfall(0.8);
  const at = (v: number) => v + 0.7 * score(-v) + 0.2 * score(4 - v) + 0.1 * score(10 - v);
  expect(Math.min(...[0, 2, 4, 6, 10].map(at))).toBeCloseTo(7, 12);
  expect(risk.quantile([0, 0, 0, 0, 0, 0, 0, 4, 4, 10], 0.8)).toBe(4);
});

it("plans what it then gets, exactly", () => {
  const score = risk.shortfall(0.8);
  const table = risk.plan(market, score);
  for (const v of [-4, 0, 5]) {
    const start = risk.stateOf(0, 2, 1, -v);
    const planned = table[3 * start + risk.greedy(table, start)];
    const losses = risk.lossDistribution(market, table, v);
    expect(losses.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
    expect(losses.reduce((sum, p, i) => sum + p * score(i - risk.widest - v), 0)).toBeCloseTo(planned, 10);
    // No v gives less than the best of all: the shortfall is at most v plus the planned score.
    expect(risk.shortfallOf(losses, 0.8)).toBeLessThanOrEqual(v + planned + 1e-9);
  }
});

it("counts losses as played", () => {
  expect(risk.lossOf(2, 3, 1, 2)).toBe(-1);
  expect(risk.lossOf(2, 3, 2, 0)).toBe(4);
  const steps: number[] = [];
  const loss = risk.play(
    market,
    0,
    () => 1,
    (_, __, ___, step) => steps.push(step),
    defaultRng(1),
  );
  expect(loss).toBe(0);
  expect(steps).toEqual([0, 1, 2, 3, 4, 5]);
});
