import { type Claim, effectOf } from "./claim.ts";
import { bcaInterval, type Interval, tInterval } from "./interval.ts";
import type { Metric, Outcome } from "./outcome.ts";

/** What the seeds say of the claim. */
export type ClaimVerdict = "shown" | "contradicted" | "no effect" | "undecided";

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
  const verdict = broken ? "contradicted" : verdictOf(claim, interval, effects);
  return { verdict, ...interval, effects };
}

/** The verdict of an interval: on the claimed side and large enough, on the other side, within what counts as nothing, or neither. */
export function verdictOf(claim: Claim, i: Interval, effects: readonly number[]): ClaimVerdict {
  // An identity has no uncertainty: it holds for each seed or it does not.
  if (claim.kind === "holds") return effects.every((e) => e >= 0) ? "shown" : "contradicted";
  if (claim.kind === "no-worse")
    return i.low > -claim.margin ? "shown" : i.high < -claim.margin ? "contradicted" : "undecided";
  const smallest = claim.kind === "ratio" ? Math.log(claim.smallest) : claim.smallest;
  if (i.low > 0 && i.estimate >= smallest) return "shown";
  if (i.high < 0) return "contradicted";
  return i.low >= -smallest && i.high <= smallest ? "no effect" : "undecided";
}
