/** Limits training to a number of steps per second. */
export class Pace {
  private readonly most: number;
  private steps: number;
  private since = performance.now();

  constructor(most: number, steps: number) {
    this.most = most;
    this.steps = steps;
  }

  /** Whether training is ahead of the limit. Time spent waiting earlier is not made up for. */
  isEarly(steps: number): boolean {
    const now = performance.now();
    if ((1000 * (steps - this.steps)) / this.most > now - this.since) return true;
    [this.since, this.steps] = [now, steps];
    return false;
  }
}
