import { type Claim, effectOf } from "./claim.ts";
import { bcaInterval, type Interval, tInterval } from "./interval.ts";
import type { Metric, Outcome } from "./outcome.ts";

/**
 * What the seeds say of the claim, where Δ is the smallest effect worth having:
 *
 * - `shown`: an effect of at least Δ;
 * - `reversed`: one of at least Δ the other way round, here;
 * - `negligible`: one below Δ, whatever its sign;
 * - `towards`: better, and how much is open;
 * - `against`: worse, and how much is open;
 * - `undecided`: none of these.
 */
export type ClaimVerdict = "shown" | "reversed" | "negligible" | "towards" | "against" | "undecided";

/** The verdicts that more seeds cannot change but by chance. */
export const decided: ReadonlySet<ClaimVerdict> = new Set<ClaimVerdict>(["shown", "reversed", "negligible"]);

/** A verdict with what it rests on. Effects of ratios are logarithms. */
export interface Judgement extends Interval {
  readonly verdict: ClaimVerdict;
  readonly effects: readonly number[];
}

/** Judges paired outcomes, one pair for each seed. */
export function judge(
  claim: Claim,
  metric: Metric,
  baseline: readonly Outcome[],
  system: readonly Outcome[],
  method: "t" | "bca" = "t",
): Judgement {
  const effects = system.map((s, i) => effectOf(claim, metric, baseline[i], s));
  const interval = (method === "t" ? tInterval : bcaInterval)(effects);
  const broken = claim.kind === "certificate" && system.some((s) => s.value < (s.bound ?? Number.NaN));
  const verdict = broken ? "reversed" : verdictOf(claim, interval, effects);
  return { verdict, ...interval, effects };
}

/** The verdict on a claim whose effects have this interval. */
export function verdictOf(claim: Claim, i: Interval, effects: readonly number[]): ClaimVerdict {
  // An identity has no uncertainty: it holds for each seed or it does not.
  if (claim.kind === "holds") return effects.every((e) => e >= 0) ? "shown" : "reversed";
  if (claim.kind === "no-worse") return noWorse(i, claim.margin);
  return classify(i, claim.kind === "ratio" ? Math.log(claim.smallest) : claim.smallest);
}

/**
 * The class of an interval of effects towards the claim. It rests on the whole interval, never on the estimate: where the effect is
 * just `smallest`, one interval in forty lies above it, however many seeds there are.
 */
export function classify({ low, high }: Pick<Interval, "low" | "high">, smallest: number): ClaimVerdict {
  if (low >= smallest) return "shown";
  if (high <= -smallest) return "reversed";
  if (low > -smallest && high < smallest) return "negligible";
  if (low > 0) return "towards";
  return high < 0 ? "against" : "undecided";
}

/** The class of an interval for the claim that the system is worse by less than `margin`. */
export function noWorse({ low, high }: Pick<Interval, "low" | "high">, margin: number): ClaimVerdict {
  if (low > -margin) return "shown";
  return high < -margin ? "reversed" : "undecided";
}
