import { absent } from "@reins/studio/wire";
import { Growable } from "./growable.ts";

/** A column of a log: only the rows that have it. */
export class Column {
  readonly value = new Growable();
  /** Steps of all rows of the log, shared as long as every row has the column. */
  private readonly all: Growable;
  private own: Growable | undefined;

  constructor(all: Growable) {
    this.all = all;
  }

  /** The steps of its rows. */
  get step(): Growable {
    return this.own ?? this.all;
  }

  /** Adds rows. Call it before the steps are added to those of all rows. */
  take(steps: Float64Array, values: Float64Array): void {
    if (!this.own && values.includes(absent)) {
      this.own = new Growable();
      this.own.push(this.all.data.subarray(0, this.all.length));
    }
    if (!this.own) return this.value.push(values);
    this.own.push(steps.filter((_, i) => values[i] !== absent));
    this.value.push(values.filter((v) => v !== absent));
  }
}
