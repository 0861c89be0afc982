import { fail } from "../errors.ts";

/**
 * When to do something that should happen `times` times in a run, by steps alone: the same run does it at the same steps however fast
 * the machine is, and whether or not it was stopped in between.
 */
export class LogSchedule {
  private readonly budget: number;
  private readonly times: number;
  private passed = 0;

  /** Evenly over `budget` environment steps; a row of metrics about 300 times by default. */
  constructor(budget: number, times = 300) {
    if (!(budget > 0) || !(times > 0))
      fail("LogSchedule", `${times} times in ${budget} steps; both must be above 0.`);
    this.budget = budget;
    this.times = times;
  }

  /** Whether it is time again after `steps` environment steps. Call it once a round. */
  due(steps: number): boolean {
    const passed = this.intervals(steps);
    if (passed <= this.passed) return false;
    this.passed = passed;
    return true;
  }

  /** Goes on from here, as if it had been asked all along. */
  resume(steps: number): void {
    this.passed = this.intervals(steps);
  }

  private intervals(steps: number): number {
    return Math.floor((steps * this.times) / this.budget);
  }
}
