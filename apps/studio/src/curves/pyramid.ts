import type { Growable } from "./growable.ts";

/** Points in the finest bucket, and buckets merged into one of the next level. */
const first = 8;
const factor = 2;

interface Level {
  /** Points in a bucket. */
  readonly size: number;
  low: Float64Array;
  high: Float64Array;
  /** Number of complete buckets. */
  count: number;
}

/** Points to draw. */
export interface Drawn {
  readonly x: number[];
  readonly y: (number | null)[];
}

/** Minima and maxima of a curve at every scale: a million points are drawn with about one per pixel, and no peak is lost. It grows with the curve. */
export class Pyramid {
  private readonly x: Growable;
  private readonly y: Growable;
  private readonly levels: Level[] = [];

  constructor(x: Growable, y: Growable) {
    this.x = x;
    this.y = y;
  }

  /** Adds the new points of the curve. */
  grow(): void {
    const points = this.y.length;
    for (let i = 0, size = first; size <= points; i++, size *= factor) {
      this.levels[i] ??= { size, low: new Float64Array(64), high: new Float64Array(64), count: 0 };
      this.fill(i);
    }
  }

  private fill(index: number): void {
    const level = this.levels[index];
    const below = index > 0 ? this.levels[index - 1] : undefined;
    const whole = Math.floor(this.y.length / level.size);
    if (whole > level.low.length) {
      level.low = longer(level.low, whole);
      level.high = longer(level.high, whole);
    }
    for (let b = level.count; b < whole; b++) {
      let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      const n = below ? factor : level.size;
      const [lows, highs] = below ? [below.low, below.high] : [this.y.data, this.y.data];
      for (let i = b * n; i < (b + 1) * n; i++) {
        // Skips non-finite values: comparisons with NaN are false, and infinities are excluded explicitly.
        if (lows[i] < low && lows[i] !== Number.NEGATIVE_INFINITY) low = lows[i];
        if (highs[i] > high && highs[i] !== Number.POSITIVE_INFINITY) high = highs[i];
      }
      level.low[b] = low;
      level.high[b] = high;
    }
    level.count = whole;
  }

  /** The curve between two x values, with about `points` points and one beyond each end. */
  between(from: number, to: number, points: number): Drawn {
    const begin = Math.max(0, this.x.lower(from) - 1);
    const end = Math.min(this.x.length, this.x.lower(to) + 2);
    const wanted = (end - begin) / points;
    let level = -1;
    while (this.levels[level + 1]?.size <= wanted) level++;
    const drawn: Drawn = { x: [], y: [] };
    this.take(level, begin, end, drawn);
    return drawn;
  }

  /** Adds the buckets of a level, and finer ones for the incomplete rest. */
  private take(index: number, begin: number, end: number, drawn: Drawn): void {
    if (index < 0) return this.plain(begin, end, drawn);
    const { size, low, high, count } = this.levels[index];
    const last = Math.min(count, Math.ceil(end / size));
    for (let b = Math.floor(begin / size); b < last; b++) {
      const at = b * size;
      const empty = low[b] > high[b];
      drawn.x.push(this.x.data[at], this.x.data[at + (size >> 1)]);
      drawn.y.push(empty ? null : low[b], empty ? null : high[b]);
    }
    this.take(index - 1, Math.max(begin, last * size), end, drawn);
  }

  private plain(begin: number, end: number, drawn: Drawn): void {
    const [x, y] = [this.x.data, this.y.data];
    for (let i = begin; i < end; i++) {
      drawn.x.push(x[i]);
      drawn.y.push(Number.isFinite(y[i]) ? y[i] : null);
    }
  }
}

function longer(numbers: Float64Array, least: number): Float64Array<ArrayBuffer> {
  const out = new Float64Array(Math.max(least, numbers.length * 2));
  out.set(numbers);
  return out;
}
