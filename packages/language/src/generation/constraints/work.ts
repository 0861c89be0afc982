import { fail } from "@reins/core";

/** Most steps that compiling one constraint may take. Ordinary schemas take some thousands. */
const mostSteps = 2_000_000;

/** Counts the steps of compiling a constraint and refuses one that needs too many. Steps and not time, so that the same constraint is refused on every machine. */
export class Work {
  private left: number;
  private readonly limit: number;

  constructor(limit = mostSteps) {
    this.limit = limit;
    this.left = limit;
  }

  /** Takes so many steps. */
  spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0)
      fail(
        "constraint",
        `compiling it takes more than ${this.limit} steps. Lower its counts, shorten its lists, or simplify its patterns.`,
      );
  }
}
