import type { DType } from "../dtype.ts";
import { type Tensor, tensor } from "../index.ts";
import { type Shape, sizeOf } from "../shape.ts";

/** A small seeded generator (mulberry32), so that failures of property tests are reproducible. */
export class Generator {
  private state: number;
  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** A number in [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** An integer from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.whole(0, list.length - 1)];
  }

  chance(p: number): boolean {
    return this.next() < p;
  }

  shape(maximumRank = 4, maximumExtent = 4, smallest = 1): number[] {
    return Array.from({ length: this.whole(0, maximumRank) }, () => this.whole(smallest, maximumExtent));
  }

  /** A shape that broadcasts to `shape`: leading axes missing, others 1 at random. */
  narrower(shape: Shape): number[] {
    return shape
      .slice(this.chance(0.5) ? this.whole(0, shape.length) : 0)
      .map((d) => (this.chance(0.3) ? 1 : d));
  }

  tensor(shape: Shape, low = -2, high = 2): Tensor {
    return tensor(
      Float32Array.from({ length: sizeOf(shape) }, () => this.between(low, high)),
      { shape },
    );
  }

  /** Integers from `low` to `high`, both included. */
  integers(shape: Shape, low: number, high: number, dtype: DType = "i32"): Tensor {
    return tensor(
      Array.from({ length: sizeOf(shape) }, () => this.whole(low, high)),
      { shape, dtype },
    );
  }
}
