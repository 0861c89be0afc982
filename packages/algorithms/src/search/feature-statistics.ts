import type { Tensor } from "@reins/tensor";
import type { Scale } from "./policy.ts";

/** Running mean and standard deviation of feature rows (Welford, 1962). */
export class Seen {
  readonly parts: {
    readonly count: Float64Array;
    readonly mean: Float64Array;
    readonly squares: Float64Array;
  };

  constructor(size: number) {
    this.parts = {
      count: new Float64Array(1),
      mean: new Float64Array(size),
      squares: new Float64Array(size),
    };
  }

  /** Adds one row. */
  note({ data }: Tensor, row: number): void {
    const { count, mean, squares } = this.parts;
    const n = ++count[0];
    for (let i = 0, at = row * mean.length; i < mean.length; i++, at++) {
      const off = data[at] - mean[i];
      mean[i] += off / n;
      squares[i] += off * (data[at] - mean[i]);
    }
  }

  /** Writes the statistics for a policy to read. Constant features are not scaled. */
  write(scale: Scale): void {
    const { count, mean, squares } = this.parts;
    scale.mean.data.set(mean);
    for (let i = 0; i < mean.length; i++) {
      const deviation = Math.sqrt(squares[i] / Math.max(1, count[0] - 1));
      scale.deviation.data[i] = deviation > 1e-7 ? deviation : 1;
    }
  }
}
