import { fail } from "../errors.ts";

/**
 * Schedules something `times` times in a run, by steps only: the same run does it at the same steps, however fast
 * the machine is, and whether or not it was stopped in between.
 */
export class LogSchedule {
  private readonly budget: number;
  private readonly times: number;
  private readonly early: boolean;
  private next: number;

  /**
   * Evenly over `budget` environment steps (default: about 200 times). With `early`, before the first of them also whenever
   * steps have doubled, so that a long run shows something at once.
   */
  constructor(budget: number, times = 200, early = false) {
    if (!(budget > 0) || !(times > 0))
      fail("LogSchedule", `${times} times in ${budget} steps; both must be above 0.`);
    this.budget = budget;
    this.times = times;
    this.early = early;
    this.next = early ? Math.min(1, this.end(1)) : this.end(1);
  }

  /** Whether it is due after `steps` environment steps. Call it once per round. */
  due(steps: number): boolean {
    if (steps < this.next) return false;
    this.resume(steps);
    return true;
  }

  /** Continues from these steps, as if `due` had been called all along. */
  resume(steps: number): void {
    let passed = Math.floor((steps * this.times) / this.budget);
    // Rounding must not restart an interval that has just ended.
    while (this.end(passed) > steps) passed--;
    while (this.end(passed + 1) <= steps) passed++;
    this.next = this.end(passed + 1);
    if (this.early && passed === 0) this.next = Math.min(this.next, doubled(steps));
  }

  /** End of an interval. */
  private end(interval: number): number {
    return (interval * this.budget) / this.times;
  }
}

/** The first power of two above `steps`. */
function doubled(steps: number): number {
  let power = 1;
  while (power <= steps) power *= 2;
  return power;
}
