/** The fault to inject into the files below a folder, passed to a process in the variable `REINS_FAULT`. */
export interface Fault {
  /** Operations on paths with this prefix are counted; others are not affected. */
  readonly root: string;
  /**
   * - `count` only counts;
   * - `kill` ends the process with SIGKILL at the operation: before it, after it, or in the middle of a write;
   * - `fail` makes it fail with `code`, once or from then on;
   * - `short` makes a short write, as the system may;
   * - `slow` delays some operations, so that races become likely.
   */
  readonly kind: "count" | "kill" | "fail" | "short" | "slow";
  /** The number of the operation, from 1. */
  readonly at: number;
  readonly when?: "before" | "after" | "within";
  readonly code?: string;
  /** Whether every later operation fails too. */
  readonly lasting?: boolean;
  /** Whether reads are counted and fail too. */
  readonly reads?: boolean;
  /** File for the list of operations, written when the process ends: one line each, name and path below the root. */
  readonly trace?: string;
}

/** How a running process receives a fault; see `inject.ts`. */
export const armed = Symbol.for("reins.faults.arm");
/** Replaces the fault; undefined for none. Returns the number of operations counted under the previous one. */
export type Arm = (fault: Fault | undefined) => number;
