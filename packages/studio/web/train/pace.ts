/** Steps a second at most. */
export class Pace {
  private readonly most: number;
  private steps: number;
  private since = performance.now();

  constructor(most: number, steps: number) {
    this.most = most;
    this.steps = steps;
  }

  /** Whether the last steps took less time than they should. What was waited for longer is forgotten. */
  isEarly(steps: number): boolean {
    const now = performance.now();
    if ((1000 * (steps - this.steps)) / this.most > now - this.since) return true;
    [this.since, this.steps] = [now, steps];
    return false;
  }
}
