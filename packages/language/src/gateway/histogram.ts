/** Upper bounds of buckets in seconds: from a token of a small model to a long reply under load. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** Counts of durations by bucket, in constant memory. */
export class Histogram {
  private readonly counts = new Float64Array(bounds.length + 1);
  private sum = 0;

  add(seconds: number): void {
    let bucket = 0;
    while (bucket < bounds.length && seconds > bounds[bucket]) bucket++;
    this.counts[bucket]++;
    this.sum += seconds;
  }

  /** Lines in the Prometheus text format. */
  lines(name: string, labels: string): string[] {
    let total = 0;
    const buckets = [...bounds, "+Inf"].map((bound, i) => {
      total += this.counts[i];
      return `${name}_bucket{${labels},le="${bound}"} ${total}`;
    });
    return [...buckets, `${name}_sum{${labels}} ${this.sum}`, `${name}_count{${labels}} ${total}`];
  }
}
