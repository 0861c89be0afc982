import type { Metrics } from "../algorithm.ts";
import { meanOf } from "../evaluations/mean.ts";
import type { Saved, Snapshot } from "../snapshot.ts";

/** Marks a round that did not measure a metric: phases of a run have their own metrics. */
const absent = Number.NEGATIVE_INFINITY;

/**
 * History of metrics in fixed memory: when it is full, every other row is dropped, so it always spans the whole run. Allocates only
 * when a new name appears.
 */
export class History implements Saved {
  private readonly columns = new Map<string, Float64Array>();
  private readonly capacity: number;
  private rows = 0;
  /** Rounds between stored rows. */
  private stride = 1;
  private seen = 0;

  constructor(capacity = 128) {
    this.capacity = capacity;
  }

  /** Adds a round's metrics. */
  note(metrics: Metrics): void {
    if (this.seen++ % this.stride !== 0) return;
    if (this.rows === this.capacity) this.thin();
    for (const name in metrics) {
      let column = this.columns.get(name);
      if (!column) {
        column = new Float64Array(this.capacity).fill(absent);
        this.columns.set(name, column);
      }
      column[this.rows] = metrics[name];
    }
    this.rows++;
  }

  private thin(): void {
    for (const column of this.columns.values()) {
      for (let i = 0; i < this.capacity / 2; i++) column[i] = column[2 * i];
      column.fill(absent, this.capacity / 2);
    }
    this.rows = this.capacity / 2;
    this.stride *= 2;
  }

  /** The values of a name, oldest first; only finite ones, or with `all` also NaN. */
  of(name: string, all = false): number[] {
    const values = this.values(name);
    return all ? values.filter((v) => v !== absent) : values.filter(Number.isFinite);
  }

  private values(name: string): number[] {
    const column = this.columns.get(name);
    return column ? Array.from(column.subarray(0, this.rows)) : [];
  }

  /** The finite values of a name in rounds that also measured another: a supervised phase has rewards, but no scores of the policy. */
  private paired(name: string, other: string): number[] {
    const others = this.values(other);
    return this.values(name).filter((v, i) => Number.isFinite(v) && Number.isFinite(others[i]));
  }

  /** Mean of the last quarter of a name's values, in rounds that measured `other`; NaN if there are none. */
  late(name: string, other = name): number {
    const values = this.paired(name, other);
    return meanOf(values.slice(Math.floor(values.length * 0.75)));
  }

  /** Mean of the first tenth of a name's values, in rounds that measured `other`. */
  early(name: string, other = name): number {
    const values = this.paired(name, other);
    return meanOf(values.slice(0, Math.max(1, Math.floor(values.length / 10))));
  }

  names(): string[] {
    return [...this.columns.keys()];
  }

  save(): Snapshot {
    const columns = Object.fromEntries([...this.columns].map(([k, v]) => [k, v.slice()]));
    return { rows: this.rows, stride: this.stride, seen: this.seen, columns };
  }

  restore(from: Snapshot): void {
    const s = from as { rows: number; stride: number; seen: number; columns: Record<string, Float64Array> };
    this.rows = s.rows;
    this.stride = s.stride;
    this.seen = s.seen;
    this.columns.clear();
    for (const [k, v] of Object.entries(s.columns)) this.columns.set(k, v.slice());
  }
}
