import type { Saved, Snapshot } from "@reins/core";
import { restore, save } from "@reins/core/snapshots";
import type { TypedArray } from "@reins/tensor";

/**
 * Running mean and variance of batches, by Chan, Golub and LeVeque's formula for combining two samples (1979). As
 * in Gymnasium it starts with mean 0 and variance 1, which count as 1/10000 of an observation.
 */
export class RunningStatistics implements Saved {
  readonly mean: Float64Array;
  readonly variance: Float64Array;
  private readonly counter = { count: 1e-4 };
  private readonly batchMean: Float64Array;
  private readonly batchSquares: Float64Array;

  /** Statistics of `width` numbers. */
  constructor(width: number) {
    this.mean = new Float64Array(width);
    this.variance = new Float64Array(width).fill(1);
    this.batchMean = new Float64Array(width);
    this.batchSquares = new Float64Array(width);
  }

  /** A snapshot of statistics. */
  static from(kept: {
    readonly mean: ArrayLike<number>;
    readonly variance: ArrayLike<number>;
    readonly count: number;
  }): RunningStatistics {
    const made = new RunningStatistics(kept.mean.length);
    made.mean.set(Array.from(kept.mean));
    made.variance.set(Array.from(kept.variance));
    made.counter.count = kept.count;
    return made;
  }

  /** Number of samples. */
  get count(): number {
    return this.counter.count;
  }

  /** Adds `rows` rows of `width` numbers; only those where `a` or `b` is not 0, if given. */
  update(data: TypedArray | Float64Array, rows: number, a?: TypedArray, b?: TypedArray): void {
    const { mean, variance, batchMean, batchSquares, counter } = this;
    const width = mean.length;
    batchMean.fill(0);
    batchSquares.fill(0);
    let n = 0;
    for (let row = 0; row < rows; row++) {
      if (a && b && !a[row] && !b[row]) continue;
      n++;
      for (let i = 0; i < width; i++) {
        const x = data[row * width + i];
        const delta = x - batchMean[i];
        batchMean[i] += delta / n;
        batchSquares[i] += delta * (x - batchMean[i]);
      }
    }
    if (n === 0) return;
    const total = counter.count + n;
    for (let i = 0; i < width; i++) {
      const delta = batchMean[i] - mean[i];
      const squares =
        variance[i] * counter.count + batchSquares[i] + (delta * delta * counter.count * n) / total;
      mean[i] += (delta * n) / total;
      variance[i] = squares / total;
    }
    counter.count = total;
  }

  save(): Snapshot {
    return save({ mean: this.mean, variance: this.variance, counter: this.counter });
  }

  restore(from: Snapshot): void {
    restore({ mean: this.mean, variance: this.variance, counter: this.counter }, from);
  }
}
