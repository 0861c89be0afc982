import { fail } from "@reins/core";
import { real } from "@reins/tensor";

/** A lost-sales inventory, and the bounds of its state space. */
export interface LostSalesOptions {
  /** Lead time (2 or more periods), holding cost and shortage penalty, as in `inventory`. */
  readonly leadTime?: number;
  readonly holding?: number;
  readonly penalty?: number;
  /** Mean of the Poisson demand per period. */
  readonly mean?: number;
  /** Maximum units on hand, and maximum order. */
  readonly onHand?: number;
  readonly order?: number;
  /** Tolerance between the bounds of the result. */
  readonly tolerance?: number;
}

/**
 * The minimum mean cost per period of any policy, by value iteration over units on hand and on order, with Odoni's
 * bounds (1969). Agrees with Zipkin, "Old and New Methods for Lost-Sales Inventory Systems" (2008), for mean 5,
 * holding 1 and penalty 9: 6.09, 6.53 and 6.84 for lead times 2, 3 and 4.
 */
export function lostSalesOptimum(options: LostSalesOptions = {}): number {
  const {
    leadTime = 4,
    holding = 1,
    penalty = 9,
    mean = 5,
    onHand = 24,
    order = 9,
    tolerance = 1e-3,
  } = options;
  if (leadTime < 2)
    fail("lostSalesOptimum", `leadTime is ${leadTime}, which leaves nothing on order. Use 2 or more.`);
  const [orders, stocks] = [order + 1, onHand + 1];
  /** Pipeline states, the next to arrive first; and those without the first. */
  const ways = orders ** (leadTime - 1);
  const later = ways / orders;
  const { chance, cost } = oneDay(mean, onHand, holding, penalty);
  let values = new Float64Array(stocks * ways);
  let next = new Float64Array(stocks * ways);
  const least = new Float64Array(stocks);
  for (;;) {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let way = 0; way < ways; way++) {
      const arrives = Math.floor(way / later);
      least.fill(Number.POSITIVE_INFINITY);
      for (let a = 0; a < orders; a++) {
        const then = (way % later) * orders + a;
        for (let x = 0; x < stocks; x++) {
          let expected = 0;
          for (let left = 0; left <= x; left++)
            expected += chance[x * stocks + left] * values[Math.min(left + arrives, onHand) * ways + then];
          if (expected < least[x]) least[x] = expected;
        }
      }
      for (let x = 0; x < stocks; x++) {
        const change = cost[x] + least[x] - values[x * ways + way];
        next[x * ways + way] = cost[x] + least[x];
        low = Math.min(low, change);
        high = Math.max(high, change);
      }
    }
    if (high - low <= tolerance) return (low + high) / 2;
    const base = next[0];
    for (let i = 0; i < next.length; i++) next[i] -= base;
    [values, next] = [next, values];
  }
}

/**
 * For each stock the probabilities of what is left of it, `chance[stock * (most + 1) + left]`, and the expected
 * cost.
 */
function oneDay(mean: number, most: number, holding: number, penalty: number) {
  const chance = new Float64Array((most + 1) ** 2);
  const cost = new Float64Array(most + 1);
  for (let x = 0; x <= most; x++) {
    let [p, sold, enough] = [real.exp(-mean), 0, 0];
    for (let d = 0; d < x; d++) {
      chance[x * (most + 1) + x - d] = p;
      enough += p;
      sold += d * p;
      p *= mean / (d + 1);
    }
    chance[x * (most + 1)] = 1 - enough;
    sold += x * (1 - enough);
    cost[x] = holding * (x - sold) + penalty * (mean - sold);
  }
  return { chance, cost };
}
