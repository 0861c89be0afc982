/** Two arms by name; the claim is about the first. The second may be `best`, the best baseline, or `each` of them. */
export type Contrast = readonly [side: string, other: string];

/** Method of an interval: Student's t, the BCa bootstrap for skewed effects, or exact for effects of -1, 0 and 1. */
export type Method = "t" | "bca" | "exact";

/** A precondition of a claim: a minimum mean of an arm's value, or of its difference from another arm's. Without it the claim is untestable here. */
export interface Precondition {
  readonly metric: string;
  /** The arm (default: the one that is compared with). */
  readonly side?: string;
  /** The arm whose mean is subtracted, if a difference is presupposed. */
  readonly over?: string;
  readonly least: number;
  readonly because: string;
}

interface Said {
  /** Why this size is relevant, chosen before any evaluation seed was used. */
  readonly because: string;
  /** The paper's own effect, in its own words and units. */
  readonly paper?: string;
  readonly presupposes?: Precondition;
}

interface Compared extends Said {
  /** The metric of both arms; or one metric each. */
  readonly metric: string | readonly [string, string];
  /** Default: the system and its best baseline. */
  readonly contrast?: Contrast;
  readonly interval?: Method;
}

/** The arm changes the metric by at least `smallest`, towards better unless `direction` is set (a published negative result). */
export interface Difference extends Compared {
  readonly kind?: "difference";
  readonly smallest: number;
  readonly direction?: "higher" | "lower";
}

/** The arm changes the metric by a factor of at least `smallest`, above 1. */
export interface RatioClaim extends Compared {
  readonly kind: "ratio";
  readonly smallest: number;
  readonly direction?: "higher" | "lower";
}

/** Worse by less than the margin. */
export interface NoWorse extends Compared {
  readonly kind: "no-worse";
  readonly margin: number;
}

/** An arm's value equals this one, within a tolerance. */
export interface Equals extends Said {
  readonly kind: "equals";
  readonly metric: string;
  readonly value: number;
  readonly within: number;
  readonly of?: string;
  readonly interval?: Method;
}

/** An arm's mean value is on this side of a bound. */
export interface Bounded extends Said {
  readonly kind: "at-most" | "at-least";
  readonly metric: string;
  readonly value: number;
  readonly of?: string;
  readonly interval?: Method;
}

/** Several claims at once: each must be shown. */
export interface JointClaim extends Said {
  readonly kind: "joint";
  readonly of: readonly Simple[];
}

/** The difference between the arms is greater by `smallest` in the first metric than in the second. */
export interface Interaction extends Said {
  readonly kind: "interaction";
  readonly metric: readonly [here: string, there: string];
  readonly smallest: number;
  readonly contrast?: Contrast;
  readonly interval?: Method;
}

/** Each arm is better than the next by `smallest`. */
export interface Ordering extends Said {
  readonly kind: "ordering";
  readonly metric: string;
  readonly sides: readonly string[];
  readonly smallest: number;
  readonly interval?: Method;
}

/** Every two arms differ by less than `within`. */
export interface Equivalent extends Said {
  readonly kind: "equivalent";
  readonly metric: string;
  readonly sides: readonly string[];
  readonly within: number;
  readonly interval?: Method;
}

/** Rank correlation of two values over the replicates of at least `smallest`. They belong to one arm, or to one each. */
export interface Correlation extends Said {
  readonly kind: "correlation";
  readonly metric: readonly [string, string];
  readonly of?: string | readonly [string, string];
  readonly smallest: number;
  readonly direction?: "higher" | "lower";
}

/** Reaches a level earlier by `smallest`, in the metric's unit: runs that never reach it count as the metric's worst, the horizon. */
export interface TimeToReach extends Said {
  readonly kind: "time-to-reach";
  readonly metric: string;
  readonly smallest: number;
  readonly contrast?: Contrast;
}

/** An identity, a bound, a certificate: the value is its violation, at most `tolerance` in every run. */
export interface Holds extends Said {
  readonly kind: "holds";
  readonly metric: string;
  readonly tolerance: number;
  readonly of?: string;
}

/** Claims that joint claims consist of. */
export type Simple = Difference | RatioClaim | NoWorse | Equals | Bounded | Interaction | TimeToReach | Holds;

/** A claim. The most common is a difference: `{ metric, smallest, because }`. */
export type Claim = Simple | JointClaim | Ordering | Equivalent | Correlation;

/** The kind of a claim. */
export const kindOf = (claim: Claim) => claim.kind ?? "difference";

/** The parts of a joint claim; otherwise the claim itself. */
export const simplesOf = (claim: Claim): readonly Exclude<Claim, JointClaim>[] =>
  claim.kind === "joint" ? claim.of : [claim];

/** The size of a claim: the smallest effect, a margin, a distance. Undefined if it has none. */
export function sizeOf(claim: Exclude<Claim, JointClaim>): number | undefined {
  if ("smallest" in claim) return claim.smallest;
  if ("margin" in claim) return claim.margin;
  return "within" in claim ? claim.within : undefined;
}

/** The size of a claim in the unit of effects, which are logarithms for ratios. */
export function effectSize(claim: Exclude<Claim, JointClaim>): number | undefined {
  const size = sizeOf(claim);
  return size !== undefined && claim.kind === "ratio" ? Math.log(size) : size;
}
