import { fail } from "@reins/core";
import { describeValue } from "@reins/core/errors";

/**
 * How the rewards of an ensemble's members become one: their mean, their minimum, or their mean minus their standard
 * deviation. The last two reward a text less where the members disagree, as on texts unlike those of the training data.
 */
export const aggregations = ["mean", "minimum", "mean-deviation"] as const;
/** One of {@link aggregations}. */
export type RewardAggregation = (typeof aggregations)[number];

/** Options of {@link aggregator}. */
export interface AggregationOptions {
  /** How the rewards of an ensemble become one (default `mean`). */
  readonly aggregate?: RewardAggregation;
  /** Standard deviations that `mean-deviation` subtracts (default 1). More is more cautious (0.5 to 3). */
  readonly deviations?: number;
}

/** A function from the rewards of an ensemble's members to one reward. */
export function aggregator({
  aggregate = "mean",
  deviations = 1,
}: AggregationOptions = {}): (rewards: ArrayLike<number>) => number {
  if (!aggregations.includes(aggregate))
    fail(
      "reward model",
      `aggregate is ${describeValue(aggregate)}; it must be one of ${aggregations.join(", ")}.`,
    );
  if (!(deviations >= 0 && deviations < Number.POSITIVE_INFINITY))
    fail("reward model", `deviations is ${describeValue(deviations)}; it must be a number of at least 0.`);
  if (aggregate === "mean") return meanOf;
  if (aggregate === "minimum") return (rewards) => Math.min(...Array.from(rewards));
  return (rewards) => meanOf(rewards) - deviations * deviationOf(rewards);
}

const meanOf = (x: ArrayLike<number>): number => Array.from(x).reduce((a, b) => a + b, 0) / x.length;

/** The standard deviation between the members of an ensemble (over n). */
export function deviationOf(x: ArrayLike<number>): number {
  const mean = meanOf(x);
  return Math.sqrt(meanOf(Array.from(x, (value) => (value - mean) ** 2)));
}
