import type { Place } from "./place.ts";

/**
 * Attention of each query to the leading keys of its item, whose number is read at run time (the operation `attend`). Only on devices, in
 * programs that may sum in any order. Strides are in elements; the columns of keys and values are adjacent, and their other strides are
 * multiples of 4. The result is contiguous.
 */
export interface AttendStep {
  readonly kind: "attend";
  readonly q: Place;
  readonly k: Place;
  readonly v: Place;
  readonly lengths: Place;
  readonly out: Place;
  /** The entry of keys and values of each index of the first axis, clamped to `entries`. */
  readonly rows?: { readonly place: Place; readonly stride: number; readonly entries: number };
  /** Room for `splitFloats` numbers, if the keys of an item are divided among several blocks. */
  readonly partial?: Place;
  readonly splits: number;
  readonly queries: number;
  readonly slots: number;
  readonly width: number;
  /** The width of values. */
  readonly wide: number;
  readonly scale: number;
  readonly causal: boolean;
  readonly qStrides: readonly [row: number, column: number];
  readonly kRow: number;
  readonly vRow: number;
  /** Leading axes, at most `mostAttendAxes`. */
  readonly lead: readonly {
    readonly extent: number;
    readonly q: number;
    readonly k: number;
    readonly v: number;
    readonly lengths: number;
  }[];
  /** Whether the result is stored as bf16. */
  readonly half: boolean;
  readonly barrier: boolean;
}

export const mostAttendAxes = 4;
/** Maximum widths of keys and values. */
export const mostKeyWidth = 256;
export const mostValueWidth = 1024;
/** Keys that a block of threads reads at a time. */
export const attendTile = 256;

/** Number of items. */
export const itemsOf = (lead: AttendStep["lead"]): number => lead.reduce((n, { extent }) => n * extent, 1);

/** Numbers that the blocks of a divided item leave for the kernel that merges them. */
export const splitFloats = (s: Pick<AttendStep, "lead" | "queries" | "splits" | "wide">): number =>
  itemsOf(s.lead) * s.queries * s.splits * (s.wide + 4);

/** Queries that a block computes together. */
export const queriesTogether = (queries: number): 1 | 2 | 4 | 8 =>
  queries > 4 ? 8 : queries > 2 ? 4 : queries > 1 ? 2 : 1;
