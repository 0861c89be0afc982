import type { Interval } from "../statistics/interval.ts";

/**
 * The verdict of the replicates on a claim, where Δ is the smallest relevant effect:
 *
 * - `shown`: an effect of at least Δ;
 * - `reversed`: an effect of at least Δ in the other direction;
 * - `negligible`: an effect below Δ in both directions;
 * - `towards`: better, by an uncertain amount;
 * - `against`: worse, by an uncertain amount;
 * - `undecided`: none of these;
 * - `untestable`: a precondition of the claim fails, or nothing is left to gain.
 */
export type ClaimVerdict =
  | "shown"
  | "reversed"
  | "negligible"
  | "towards"
  | "against"
  | "undecided"
  | "untestable";

/** The verdicts that more seeds change only by chance. */
export const decided: ReadonlySet<ClaimVerdict> = new Set<ClaimVerdict>(["shown", "reversed", "negligible"]);

type Bounds = Pick<Interval, "low" | "high">;

/**
 * The verdict for an interval of effects in the direction of the claim. It depends on the whole interval, never on the estimate: if the
 * effect is exactly `smallest`, one interval in forty lies above it, regardless of the number of seeds.
 */
export function classify({ low, high }: Bounds, smallest: number): ClaimVerdict {
  if (low >= smallest) return "shown";
  if (high <= -smallest) return "reversed";
  if (low > -smallest && high < smallest) return "negligible";
  if (low > 0) return "towards";
  return high < 0 ? "against" : "undecided";
}

/** The verdict on the claim that the system is worse by less than `margin`: `against` if it is worse by an uncertain amount. */
export function noWorse({ low, high }: Bounds, margin: number): ClaimVerdict {
  if (low > -margin) return "shown";
  if (high < -margin) return "reversed";
  return high < 0 ? "against" : "undecided";
}

/** The verdict on the claim that the effect is within ± `within`. */
export function closeTo({ low, high }: Bounds, within: number): ClaimVerdict {
  if (low > -within && high < within) return "shown";
  return low >= within || high <= -within ? "reversed" : "undecided";
}

/** The verdict on the claim that a value is at least a bound. */
export function beyond({ low, high }: Bounds, bound: number): ClaimVerdict {
  if (low >= bound) return "shown";
  return high < bound ? "reversed" : "undecided";
}

/** Worst first: a joint claim has the verdict of its worst part. */
const order: readonly ClaimVerdict[] = [
  "reversed",
  "untestable",
  "negligible",
  "against",
  "undecided",
  "towards",
  "shown",
];

/** The verdict on a joint claim. */
export const together = (verdicts: readonly ClaimVerdict[]): ClaimVerdict =>
  order.find((v) => verdicts.includes(v)) ?? "undecided";
