/** What is to go wrong with the files below a folder, told to a process by the variable `REINS_FAULT`. */
export interface Fault {
  /** Operations on paths that begin so are counted; others are left alone. */
  readonly root: string;
  /**
   * - `count` only counts;
   * - `kill` ends the process with SIGKILL at the operation: before it, after it, or in the middle of a write;
   * - `fail` lets it fail with `code`, once or from there on;
   * - `short` writes a part and says so, as a system may;
   * - `slow` waits a moment before some operations, so that races have room.
   */
  readonly kind: "count" | "kill" | "fail" | "short" | "slow";
  /** Which operation, from 1. */
  readonly at: number;
  readonly when?: "before" | "after" | "within";
  readonly code?: string;
  /** Whether every later operation fails too. */
  readonly lasting?: boolean;
  /** Whether reads are counted and fail too. */
  readonly reads?: boolean;
  /** Where to write the list of operations when the process ends: one line each, name and path below the root. */
  readonly trace?: string;
}

/** By which a process that is running already is told of a fault; see `inject.ts`. */
export const armed = Symbol.for("reins.faults.arm");
/** Replaces the fault; undefined for none. Returns how many operations were counted under the one before. */
export type Arm = (fault: Fault | undefined) => number;
