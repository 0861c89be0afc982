import { defaultRng, stream } from "@reins/core/random";
import { type Arm, type Grid, mean, recipe, type Settings, type Trial } from "@reins/recipes";
import { real } from "@reins/tensor";
import * as rtb from "./rtb-rl.parts.ts";

/** Impressions of an episode, segments of users, episodes, and what the market knows of click rates. */
const [impressions, segments, episodes, known] = [200, 20, 10, 0.3];
/** Budgets, as shares of what all impressions cost at their mean price. */
const shares = { tight: 1 / 16, middle: 1 / 8, loose: 1 / 4 };
const grid = { scale: [0.7, 0.85, 1, 1.2], laplace: [0.1, 1, 10] } as const;
const linear = { factor: [0.85, 1, 1.2, 1.4], power: [0.7, 1, 1.4] } as const;
const paced = { factor: [0.85, 1, 1.2, 1.4], pace: [0.5, 1, 2] } as const;
const capped = { scale: [0.5, 1, 1.5, 2], quantile: [0.5, 0.8, 1] } as const;

/** What a bidder may look at before the test: the model of the market, an episode's budget, and a log of impressions. */
interface Known {
  readonly market: rtb.MarketModel;
  readonly budget: number;
  readonly log: readonly rtb.Impression[];
  /** Clicks of a bidder in the log, cut into episodes, by estimated click rates. */
  replay(bidder: rtb.Bidder): number;
}

const arm = <G extends Grid>(
  name: string,
  bidderOf: (settings: Settings<G>, known: Known) => rtb.Bidder,
  own?: G,
): Arm => ({
  name,
  ...(own && { grid: own }),
  run({ seed, settings, budget: size }: Trial<G>) {
    const at = (what: string) => defaultRng(stream(seed, what));
    const campaign = rtb.randomCampaign(at("campaign"), segments, known);
    const log = rtb.sampleImpressions(campaign, size, at("log"));
    const market = rtb.fitMarket(campaign, log, (settings.laplace as number) ?? 1, at("clicks"));
    const price = mean(log.map((i) => i.price));
    const random = at("episodes");
    const tests = Array.from({ length: episodes }, () =>
      rtb.sampleImpressions(campaign, impressions, random),
    );
    const early: number[] = [];
    const values = Object.fromEntries(
      Object.entries(shares).map(([what, share]) => {
        const budget = Math.round(share * price * impressions);
        const estimated = { ...campaign, rates: market.rates };
        const pieces = Array.from({ length: 5 }, (_, i) => log.slice(i * impressions, (i + 1) * impressions));
        const replay = (bidder: rtb.Bidder) =>
          mean(pieces.map((piece) => rtb.play(estimated, piece, budget, bidder)));
        const bidder = bidderOf(settings as Settings<G>, { market, budget, log, replay });
        const clicks = tests.map((test) => rtb.play(campaign, test, budget, bidder));
        early.push(...clicks.slice(0, 5));
        const best = tests.map((test) => rtb.hindsight(campaign, test, budget));
        return [what, mean(clicks) / mean(best)];
      }),
    );
    return { values: { clicks: mean(Object.values(values)), ...values }, early, used: size };
  },
});

type Scaled = Settings<typeof grid>;

/** RLB: the highest price at which the click is worth the money, by dynamic programming over impressions and budget. */
const rlb =
  (rateOf: (market: rtb.MarketModel, segment: number) => number, current = true) =>
  ({ scale }: Scaled, { market, budget }: Known): rtb.Bidder => {
    const values = rtb.budgetValues(market, impressions, budget);
    return (segment, left, after) =>
      rtb.worthwhile(
        scale * rateOf(market, segment),
        values[after],
        current ? left : Math.round((budget * (after + 1)) / impressions),
      );
  };

/** Bids in proportion to the click rate raised to `power`; of fifty bids for a mean impression, the one with the most clicks in the log. */
function proportional(
  { market, replay }: Known,
  factor: number,
  power: number,
  pace?: rtb.Bidder,
): rtb.Bidder {
  const bids = market.rates.map((rate) => real.pow(rate / market.rate, power));
  const bidder =
    (base: number): rtb.Bidder =>
    (segment, left, after) =>
      Math.floor(base * bids[segment] * (pace?.(segment, left, after) ?? 1));
  let [best, most] = [1, -1];
  for (let base = 1; base <= 50; base++) {
    const clicks = replay(bidder(base));
    if (clicks > most) [best, most] = [base, clicks];
  }
  return bidder(factor * best);
}

const share = (about: string) => ({ about, better: "higher", worst: 0, best: 1 }) as const;

export default recipe({
  id: "rtb-rl",
  paper: "Real-Time Bidding by Reinforcement Learning in Display Advertising",
  source: "arXiv:1701.02490, han-cai/rlb-dp",
  about:
    "An advertiser bids for impressions in second-price auctions until the budget is spent. RLB takes impressions and money left as the state of a Markov decision process: dynamic programming with the distribution of market prices and the mean click rate gives the value of money, and the bid is the highest price at which the predicted click is worth it. Claimed: more clicks than bids that do not depend on the budget left.",
  system: arm(
    "RLB",
    rlb((market, segment) => market.rates[segment]),
  ),
  baselines: [
    arm(
      "linear bids",
      ({ factor, power }: Settings<typeof linear>, known) => proportional(known, factor, power),
      linear,
    ),
    arm(
      "linear bids, paced",
      ({ factor, pace }: Settings<typeof paced>, known) =>
        proportional(known, factor, 1, (_, left, after) =>
          real.pow((left + 1) / ((known.budget * (after + 1)) / impressions + 1), pace),
        ),
      paced,
    ),
    arm(
      "mean click rate only (SS-MDP)",
      rlb((market) => market.rate),
    ),
    arm(
      "highest cost per click (Mcpc)",
      ({ scale, quantile }: Settings<typeof capped>, { market, log }) => {
        // The cost per click of the log, below a quantile of prices.
        const prices = log.map((i) => i.price).sort((a, b) => a - b);
        const price = mean(prices.slice(0, Math.max(1, Math.round(quantile * prices.length))));
        return (segment) => Math.floor((scale * price * market.rates[segment]) / market.rate);
      },
      capped,
    ),
  ],
  ablations: [
    arm(
      "RLB that assumes an even budget",
      rlb((market, segment) => market.rates[segment], false),
    ),
  ],
  metrics: {
    clicks: share("clicks, as a share of the best choice in hindsight, mean over three budgets"),
    tight: share("share of the clicks with a sixteenth of the full budget"),
    middle: share("share of the clicks with an eighth of the full budget"),
    loose: share("share of the clicks with a quarter of the full budget"),
  },
  claims: [
    {
      metric: "clicks",
      smallest: 0.01,
      because: "one click of a hundred pays for a table over budgets and impressions",
    },
    {
      metric: "clicks",
      contrast: ["RLB", "linear bids"],
      smallest: 0.03,
      because:
        "linear bids are what the paper compares with; three clicks of a hundred are worth a new system",
    },
  ],
  grid,
  limits: { laplace: [0.001, 1000], quantile: [0.05, 1] },
  replicates: "campaign",
  minutes: 4,
  budget: { unit: "impressions", full: 5000, quick: 1200 },
  deviations: [
    "A synthetic market with 20 segments of users, prices up to 60 and episodes of 200 impressions replaces the iPinYou logs with 1,000 to 100,000; the price of a segment depends a little on its click rate, which the method assumes away.",
    "The values are exact tables, as in the authors' program for small markets; the network that approximates them for large ones is left out. Click rates are estimated by segment from 5,000 logged impressions in place of logistic regression.",
    "All arms scale their click rates or bids by a tuned factor. Clicks are counted as expected ones. Pacing, which the paper does not compare with, raises linear bids with the budget left per impression.",
    "RLB's value function, the mean click rate (SS-MDP) and linear bids, with the best of fifty in the log, follow the authors' program.",
  ],
  finding: (f) =>
    `The gain over linear bids with pacing is negligible; over the linear bids of the paper it is shown. Against the best baseline RLB changes the share of clicks by ${f.effect(0)}, against linear bids by ${f.effect(1)}, over ${f.count} campaigns. What the table of values knows about money left, a factor for the budget left per impression knows as well: linear bids reach ${f.mean("linear bids", "clicks")}, with pacing ${f.mean("linear bids, paced", "clicks")}, and RLB ${f.mean("RLB", "clicks")}. What speaks for RLB: it does not need the log to be replayed. It needs click rates (without them ${f.mean("mean click rate only (SS-MDP)", "clicks")}) and the money left (if it assumes an even budget ${f.mean("RLB that assumes an even budget", "clicks")}).`,
});
