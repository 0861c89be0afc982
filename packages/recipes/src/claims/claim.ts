/** Two sides by name, the one of which more is claimed first. The second may be `best`, the better baseline, or `each` of them. */
export type Contrast = readonly [side: string, other: string];

/** How an interval is found: Student's t, the bias-corrected bootstrap for skewed effects, or exactly for effects of -1, 0 and 1. */
export type Method = "t" | "bca" | "exact";

/** What must be there for a claim to mean anything: a mean of a value of a side, without which the claim is untestable here. */
export interface Presupposed {
  readonly metric: string;
  /** Whose value it is (default: that of the side that is compared with). */
  readonly side?: string;
  readonly least: number;
  readonly because: string;
}

interface Said {
  /** Why just this size counts, chosen before any evaluation seed was seen. */
  readonly because: string;
  /** The paper's own effect, in its own words and units. */
  readonly paper?: string;
  readonly presupposes?: Presupposed;
}

interface Compared extends Said {
  /** The metric of both sides; or that of the first and that of the second. */
  readonly metric: string | readonly [string, string];
  /** Default: the system and its best baseline. */
  readonly contrast?: Contrast;
  readonly interval?: Method;
}

/** The side moves the metric by at least `smallest`, towards the better unless `direction` says otherwise (a published negative result). */
export interface Difference extends Compared {
  readonly kind?: "difference";
  readonly smallest: number;
  readonly direction?: "higher" | "lower";
}

/** The same by a factor, `smallest`, above 1. */
export interface Ratio extends Compared {
  readonly kind: "ratio";
  readonly smallest: number;
  readonly direction?: "higher" | "lower";
}

/** Worse by less than the margin. */
export interface NoWorse extends Compared {
  readonly kind: "no-worse";
  readonly margin: number;
}

/** A side's value is this one, give or take. */
export interface Equals extends Said {
  readonly kind: "equals";
  readonly metric: string;
  readonly value: number;
  readonly within: number;
  readonly of?: string;
  readonly interval?: Method;
}

/** A side's value is on average on this side of a bound. */
export interface Bounded extends Said {
  readonly kind: "at-most" | "at-least";
  readonly metric: string;
  readonly value: number;
  readonly of?: string;
  readonly interval?: Method;
}

/** Several things at once: each must be shown. */
export interface Joint extends Said {
  readonly kind: "joint";
  readonly of: readonly Simple[];
}

/** More here than there: the difference between the sides is greater by `smallest` in the first metric than in the second. */
export interface Interaction extends Said {
  readonly kind: "interaction";
  readonly metric: readonly [here: string, there: string];
  readonly smallest: number;
  readonly contrast?: Contrast;
  readonly interval?: Method;
}

/** Each side is better than the next by `smallest`. */
export interface Ordering extends Said {
  readonly kind: "ordering";
  readonly metric: string;
  readonly sides: readonly string[];
  readonly smallest: number;
  readonly interval?: Method;
}

/** None is best: every two sides differ by less than `within`. */
export interface Equivalent extends Said {
  readonly kind: "equivalent";
  readonly metric: string;
  readonly sides: readonly string[];
  readonly within: number;
  readonly interval?: Method;
}

/** Two values go together over the replicates: their rank correlation is at least `smallest`. They are of one side, or of one each. */
export interface Correlation extends Said {
  readonly kind: "correlation";
  readonly metric: readonly [string, string];
  readonly of?: string | readonly [string, string];
  readonly smallest: number;
  readonly direction?: "higher" | "lower";
}

/** Sooner at a level, by `smallest` in the metric's unit: runs that never are count as the metric's worst, the horizon. */
export interface TimeToReach extends Said {
  readonly kind: "time-to-reach";
  readonly metric: string;
  readonly smallest: number;
  readonly contrast?: Contrast;
}

/** An identity, a bound, a certificate: the value says by how much it is violated, at most `tolerance` in every run. */
export interface Holds extends Said {
  readonly kind: "holds";
  readonly metric: string;
  readonly tolerance: number;
  readonly of?: string;
}

/** Claims that others are made of. */
export type Simple = Difference | Ratio | NoWorse | Equals | Bounded | Interaction | TimeToReach | Holds;

/** What is claimed. A difference is the commonest: `{ metric, smallest, because }`. */
export type Claim = Simple | Joint | Ordering | Equivalent | Correlation;

/** The kind of a claim. */
export const kindOf = (claim: Claim) => claim.kind ?? "difference";

/** The claims that this one is made of: itself, unless it is a joint one. */
export const simplesOf = (claim: Claim): readonly Exclude<Claim, Joint>[] =>
  claim.kind === "joint" ? claim.of : [claim];

/** The size that a claim says counts: the smallest effect, a margin, a distance. None where no size is in question. */
export function sizeOf(claim: Exclude<Claim, Joint>): number | undefined {
  if ("smallest" in claim) return claim.smallest;
  if ("margin" in claim) return claim.margin;
  return "within" in claim ? claim.within : undefined;
}

/** The same in the unit of effects, which are logarithms for ratios. */
export function effectSize(claim: Exclude<Claim, Joint>): number | undefined {
  const size = sizeOf(claim);
  return size !== undefined && claim.kind === "ratio" ? Math.log(size) : size;
}
