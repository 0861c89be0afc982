import { Growable } from "./growable.ts";
import { type Drawn, Pyramid } from "./pyramid.ts";

/** A growing curve, raw and smoothed. */
export class Curve {
  readonly x: Growable;
  readonly y: Growable;
  /** x values at which the curve is NaN or infinite. */
  readonly nonFinite = new Growable();
  private looked = 0;
  private readonly late: boolean;
  /** Whether any value is finite. */
  hasNumbers = false;
  private readonly raw: Pyramid;
  private smoothed: { readonly by: number; readonly y: Growable; readonly pyramid: Pyramid } | undefined;
  private mean = 0;
  private weight = 0;

  /** With `late`, leading NaN are expected and not marked, such as returns before the first episode has ended. */
  constructor(x = new Growable(), y = new Growable(), { late = false } = {}) {
    this.late = late;
    this.x = x;
    this.y = y;
    this.raw = new Pyramid(x, y);
  }

  /** Adds the new points. */
  grow(): void {
    const nonFinite: number[] = [];
    for (; this.looked < this.y.length; this.looked++) {
      const value = this.y.data[this.looked];
      const waits = this.late && !this.hasNumbers && Number.isNaN(value);
      if (Number.isFinite(value)) this.hasNumbers = true;
      else if (!waits) nonFinite.push(this.x.data[this.looked]);
    }
    if (nonFinite.length > 0) this.nonFinite.push(Float64Array.from(nonFinite));
    this.raw.grow();
    if (this.smoothed) this.goOn();
  }

  /** The points to draw between two x values. */
  between(from: number, to: number, points: number): Drawn {
    return this.raw.between(from, to, points);
  }

  /** The smoothed points to draw: an exponential moving average with a weight from 0 (raw) to 1. */
  smooth(by: number, from: number, to: number, points: number): Drawn {
    if (by <= 0) return this.between(from, to, points);
    if (this.smoothed?.by !== by) {
      const y = new Growable();
      this.smoothed = { by, y, pyramid: new Pyramid(this.x, y) };
      [this.mean, this.weight] = [0, 0];
      this.goOn();
    }
    return this.smoothed!.pyramid.between(from, to, points);
  }

  /** The raw and the smoothed value nearest to x. */
  at(x: number): { x: number; raw: number; smooth?: number } | undefined {
    const { length, data } = this.x;
    if (length === 0) return undefined;
    let i = Math.min(this.x.lower(x), length - 1);
    if (i > 0 && x - data[i - 1] < data[i] - x) i--;
    const smooth = this.smoothed?.y.data[i];
    return { x: data[i], raw: this.y.data[i], ...(smooth === undefined ? {} : { smooth }) };
  }

  private goOn(): void {
    const { by, y, pyramid } = this.smoothed!;
    const out = new Float64Array(this.y.length - y.length);
    for (let i = y.length; i < this.y.length; i++) {
      const value = this.y.data[i];
      if (Number.isFinite(value)) {
        this.mean = by * this.mean + (1 - by) * value;
        this.weight = by * this.weight + (1 - by);
      }
      out[i - y.length] = this.weight > 0 && Number.isFinite(value) ? this.mean / this.weight : Number.NaN;
    }
    y.push(out);
    pyramid.grow();
  }
}
