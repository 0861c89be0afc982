import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import * as rtb from "./rtb-rl.parts.ts";

const market = (prices: number[], rate: number): rtb.MarketModel => {
  const all = new Float64Array(rtb.highest + 1);
  prices.forEach((p, price) => {
    all[price] = p;
  });
  return { rates: Float64Array.of(rate), rate, prices: all };
};

it("values a budget as a hand calculation does", () => {
  // Prices of 1 or 3, equally likely. One impression: with 1 it is won half of the time, with 3 always.
  const values = rtb.budgetValues(market([0, 0.5, 0, 0.5], 0.1), 2, 3);
  expect([...values[1]]).toEqual([0, 0.05, 0.05, 0.1]);
  // Two impressions with 3: at a price of 1, a click and the value 0.05 of 2; at 3, a click, nothing left, against 0.1.
  expect(values[2][3]).toBeCloseTo(0.1 + 0.5 * (0.1 + 0.05 - 0.1) + 0.5 * (0.1 + 0 - 0.1), 12);
  expect(values[2][1]).toBeCloseTo(0.05 + 0.5 * (0.1 - 0.05), 12);
});

it("bids as long as the click is worth the money", () => {
  const values = rtb.budgetValues(market([0, 0.5, 0, 0.5], 0.1), 2, 3);
  expect(rtb.worthwhile(0.2, values[1], 3)).toBe(3);
  expect(rtb.worthwhile(0.06, values[1], 3)).toBe(2);
  expect(rtb.worthwhile(0.01, values[1], 3)).toBe(0);
  expect(rtb.worthwhile(0.01, values[0], 3)).toBe(3);
});

it("never pays more than the budget, and hindsight is a bound", () => {
  const random = defaultRng(1);
  const campaign = rtb.randomCampaign(random, 6, 0.3);
  const impressions = rtb.sampleImpressions(campaign, 100, random);
  const best = rtb.hindsight(campaign, impressions, 200);
  for (const bid of [5, 10, 20, 60])
    expect(rtb.play(campaign, impressions, 200, () => bid)).toBeLessThan(best);
  const all = impressions.reduce((sum, { segment }) => sum + campaign.rates[segment], 0);
  expect(rtb.play(campaign, impressions, 6000, () => 60)).toBeCloseTo(all, 12);
  expect(rtb.hindsight(campaign, impressions, 6000)).toBeCloseTo(all, 12);
});
