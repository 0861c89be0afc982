import type { Interval } from "../statistics/interval.ts";

/**
 * What the replicates say of a claim, where Δ is the smallest effect worth having:
 *
 * - `shown`: an effect of at least Δ;
 * - `reversed`: one of at least Δ the other way round, here;
 * - `negligible`: one below Δ, whatever its sign;
 * - `towards`: better, and how much is open;
 * - `against`: worse, and how much is open;
 * - `undecided`: none of these;
 * - `untestable`: what the claim presupposes is not there, or nothing is left to gain.
 */
export type ClaimVerdict =
  | "shown"
  | "reversed"
  | "negligible"
  | "towards"
  | "against"
  | "undecided"
  | "untestable";

/** The verdicts that more seeds cannot change but by chance. */
export const decided: ReadonlySet<ClaimVerdict> = new Set<ClaimVerdict>(["shown", "reversed", "negligible"]);

type Bounds = Pick<Interval, "low" | "high">;

/**
 * The class of an interval of effects towards the claim. It rests on the whole interval, never on the estimate: where the effect is
 * just `smallest`, one interval in forty lies above it, however many seeds there are.
 */
export function classify({ low, high }: Bounds, smallest: number): ClaimVerdict {
  if (low >= smallest) return "shown";
  if (high <= -smallest) return "reversed";
  if (low > -smallest && high < smallest) return "negligible";
  if (low > 0) return "towards";
  return high < 0 ? "against" : "undecided";
}

/** The class of an interval for the claim that the system is worse by less than `margin`. */
export function noWorse({ low, high }: Bounds, margin: number): ClaimVerdict {
  if (low > -margin) return "shown";
  return high < -margin ? "reversed" : "undecided";
}

/** The class of an interval for the claim that the effect is less than `within`, on either side. */
export function closeTo({ low, high }: Bounds, within: number): ClaimVerdict {
  if (low > -within && high < within) return "shown";
  return low >= within || high <= -within ? "reversed" : "undecided";
}

/** The class of an interval for the claim that a value is at least a bound. */
export function beyond({ low, high }: Bounds, bound: number): ClaimVerdict {
  if (low >= bound) return "shown";
  return high < bound ? "reversed" : "undecided";
}

/** Worst first: what is claimed of all parts together is no better than the worst of them. */
const order: readonly ClaimVerdict[] = [
  "reversed",
  "untestable",
  "negligible",
  "against",
  "undecided",
  "towards",
  "shown",
];

/** The verdict on several things that are claimed together. */
export const together = (verdicts: readonly ClaimVerdict[]): ClaimVerdict =>
  order.find((v) => verdicts.includes(v)) ?? "undecided";
