import { Curve } from "./curve.ts";
import { Growable } from "./growable.ts";

/** The band of one standard deviation around a mean. It grows with both curves. */
export class Band {
  readonly low = new Curve(new Growable(), new Growable(), { late: true });
  readonly high = new Curve(new Growable(), new Growable(), { late: true });
  private readonly mean: Curve;
  private readonly deviation: Curve;
  private taken = 0;
  /** The first row of the deviation that can match the next row of the mean. */
  private at = 0;

  constructor(mean: Curve, deviation: Curve) {
    this.mean = mean;
    this.deviation = deviation;
  }

  /** Adds the new rows of the mean. Rows without a deviation leave a gap. */
  grow(): this {
    const { mean, deviation } = this;
    const count = mean.x.length - this.taken;
    if (count <= 0) return this;
    const [low, high] = [new Float64Array(count), new Float64Array(count)];
    for (let i = 0; i < count; i++) {
      const x = mean.x.data[this.taken + i];
      while (this.at < deviation.x.length && deviation.x.data[this.at] < x) this.at++;
      const isHere = this.at < deviation.x.length && deviation.x.data[this.at] === x;
      const size = isHere ? deviation.y.data[this.at++] : Number.NaN;
      const middle = mean.y.data[this.taken + i];
      low[i] = middle - size;
      high[i] = middle + size;
    }
    const places = mean.x.data.slice(this.taken, this.taken + count);
    this.taken += count;
    for (const [curve, values] of [
      [this.low, low],
      [this.high, high],
    ] as const) {
      curve.x.push(places);
      curve.y.push(values);
      curve.grow();
    }
    return this;
  }

  /** Whether it was made from these curves, which may have been reloaded. */
  isOf(mean: Curve, deviation: Curve): boolean {
    return this.mean === mean && this.deviation === deviation;
  }
}
