import type { Generator } from "@reins/core/random";
import { real } from "@reins/tensor";

/** An impression: the segment of the user, which predicts the click, and the highest bid of the others. */
export interface Impression {
  readonly segment: number;
  readonly price: number;
}

/** A campaign: true click rates by segment, and how prices depend on the segment. */
export interface Campaign {
  readonly rates: Float64Array;
  readonly levels: Float64Array;
}

/** The highest price of the market. */
export const highest = 60;

/** Click rates are log-normal; the market knows a part of them, so that good impressions cost more. */
export function randomCampaign(random: Generator, segments: number, known: number): Campaign {
  const worth = Float64Array.from({ length: segments }, () => random.normal());
  return {
    rates: worth.map((w) => Math.min(1, 0.02 * real.exp(w))),
    levels: worth.map((w) => 2.3 + known * w + random.normal(0, 0.2)),
  };
}

export const sampleImpressions = (campaign: Campaign, count: number, random: Generator): Impression[] =>
  Array.from({ length: count }, () => {
    const segment = random.integers(campaign.rates.length);
    const price = Math.round(real.exp(random.normal(campaign.levels[segment], 0.5)));
    return { segment, price: Math.max(1, Math.min(highest, price)) };
  });

/** What a log of impressions says: click rates by segment, the mean rate, and the distribution of prices, smoothed. */
export interface MarketModel {
  readonly rates: Float64Array;
  readonly rate: number;
  readonly prices: Float64Array;
}

export function fitMarket(
  campaign: Campaign,
  log: readonly Impression[],
  laplace: number,
  random: Generator,
): MarketModel {
  const prices = new Float64Array(highest + 1).fill(laplace);
  prices[0] = 0;
  const [clicks, counts] = [campaign.rates.map(() => 0), campaign.rates.map(() => 0)];
  for (const { segment, price } of log) {
    prices[price]++;
    counts[segment]++;
    if (random.chance(campaign.rates[segment])) clicks[segment]++;
  }
  const rate =
    Math.max(
      1,
      clicks.reduce((a, b) => a + b),
    ) / log.length;
  const sum = prices.reduce((a, b) => a + b);
  return {
    // Shrunken towards the mean rate by fifty impressions.
    rates: clicks.map((c, s) => (c + 50 * rate) / (counts[s] + 50)),
    rate,
    prices: prices.map((n) => n / sum),
  };
}

/**
 * RLB's value function (algorithm 1): `values[t][b]` are the expected clicks of t impressions with a budget of b, where
 * each has the mean click rate. An impression is worth a price while its click exceeds the value of the money.
 */
export function budgetValues(
  { prices, rate }: MarketModel,
  impressions: number,
  budget: number,
): Float64Array[] {
  const values = [new Float64Array(budget + 1)];
  for (let t = 1; t <= impressions; t++) {
    const [before, now] = [values[t - 1], new Float64Array(budget + 1)];
    for (let b = 1; b <= budget; b++) {
      now[b] = before[b];
      for (let price = 1; price <= Math.min(highest, b); price++) {
        const gain = rate + before[b - price] - before[b];
        if (gain < 0) break;
        now[b] += prices[price] * gain;
      }
    }
    values.push(now);
  }
  return values;
}

/** The highest price at which a click with this rate is worth the money, given the value of t further impressions. */
export function worthwhile(rate: number, values: Float64Array, budget: number): number {
  let price = 0;
  while (price < Math.min(highest, budget) && rate + values[budget - price - 1] >= values[budget]) price++;
  return price;
}

/** A bid for an impression with `left` further ones behind it. */
export type Bidder = (segment: number, budget: number, left: number) => number;

/** Expected clicks of a bidder under second prices: those of the impressions that it wins. */
export function play(
  { rates }: Campaign,
  impressions: readonly Impression[],
  budget: number,
  bidder: Bidder,
): number {
  let [clicks, left] = [0, budget];
  impressions.forEach(({ segment, price }, i) => {
    if (Math.min(left, bidder(segment, left, impressions.length - 1 - i)) < price) return;
    clicks += rates[segment];
    left -= price;
  });
  return clicks;
}

/** The clicks of the best choice in hindsight, where the last impression may be bought in part: an upper bound. */
export function hindsight({ rates }: Campaign, impressions: readonly Impression[], budget: number): number {
  const worth = ({ segment, price }: Impression) => rates[segment] / price;
  let [clicks, left] = [0, budget];
  for (const impression of [...impressions].sort((a, b) => worth(b) - worth(a))) {
    const paid = Math.min(left, impression.price);
    clicks += worth(impression) * paid;
    left -= paid;
  }
  return clicks;
}
