import type { Summary } from "./stats.ts";

/** The quartiles around a median, in the result's unit. */
export type Spread = readonly [low: number, high: number];

/** One row of the report. */
export interface Result {
  readonly name: string;
  readonly backend: string;
  readonly threads: number;
  readonly ours: number | null;
  readonly peer: number | null;
  readonly peerName: string | null;
  readonly unit: string;
  /** Above 1, Reins is faster, for every unit. */
  readonly ratio: number | null;
  readonly spread: { readonly ours: Spread | null; readonly peer: Spread | null };
  /** Required ratio; for compile times the maximum number of seconds. */
  readonly floor: number | null;
  readonly met: boolean | null;
  /** Percentages of our time, by part. */
  readonly parts?: { readonly [name: string]: Part };
  /** Why a number is missing, or how the peer was run. */
  readonly note?: string;
}

/** A number with quartiles. */
export interface Part {
  readonly value: number;
  readonly spread: Spread;
}

/** A summary in another unit; a rate swaps low and high. */
export function convert({ median, low, high }: Summary, f: (seconds: number) => number): Part {
  const [a, b] = [f(low), f(high)];
  return { value: f(median), spread: [Math.min(a, b), Math.max(a, b)] };
}
