import type { Column } from "./column.ts";
import { Curve } from "./curve.ts";

/** A column drawn over another one, such as time: a curve of the rows that both have. */
export class Track {
  readonly curve: Curve;
  private readonly column: Column;
  private readonly scale: Column;
  private taken = 0;

  constructor(column: Column, scale: Column, like: { late?: boolean } = {}) {
    this.column = column;
    this.scale = scale;
    this.curve = new Curve(undefined, undefined, like);
  }

  /** Adds the rows that the scale has reached. Later rows wait, since the scale is often loaded after them. */
  grow(): Curve {
    const { step, value } = this.column;
    const { step: marks, value: places } = this.scale;
    const reached = marks.length > 0 ? marks.data[marks.length - 1] : Number.NEGATIVE_INFINITY;
    let end = this.taken;
    while (end < value.length && step.data[end] <= reached) end++;
    const { x, y } = this.curve;
    const out = new Float64Array(end - this.taken);
    let last = x.length > 0 ? x.data[x.length - 1] : 0;
    for (let i = this.taken; i < end; i++) {
      const place = places.data[marks.lower(step.data[i])];
      // x never decreases: rows without a value on the scale use the last one.
      if (place > last && Number.isFinite(place)) last = place;
      out[i - this.taken] = last;
    }
    x.push(out);
    y.push(value.data.subarray(this.taken, end));
    this.taken = end;
    this.curve.grow();
    return this.curve;
  }

  /** Whether it was made from these columns, which may have been reloaded. */
  isOf(column: Column, scale: Column): boolean {
    return this.column === column && this.scale === scale;
  }
}
