import { fail } from "@reins/core";

/** Maximum steps of compiling one constraint. Ordinary schemas take a few thousand. */
const mostSteps = 2_000_000;

/**
 * Counts the steps of compiling a constraint and rejects one that needs too many. Steps rather than time, so that the
 * same constraint is rejected on every machine.
 */
export class Work {
  private left: number;
  private readonly limit: number;

  constructor(limit = mostSteps) {
    this.limit = limit;
    this.left = limit;
  }

  /** Uses steps. */
  spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0)
      fail(
        "constraint",
        `compiling it takes more than ${this.limit} steps. Lower its counts, shorten its lists or simplify its patterns.`,
      );
  }
}
