import { leaves, matchLeaves, type Tensor, type Tree, treeMap } from "@reins/tensor";
import { zeroColumn } from "../spaces/layout.ts";

/** Columns of zeros with `rows` rows, laid out as one row of `sample`, whose first `leading` axes are not part of a row. */
export function roomFor<T extends Tree>(sample: T, rows: number, leading: number): T {
  return treeMap((t) => zeroColumn(t.dtype, [rows, ...t.shape.slice(leading)]), sample);
}

/** Bytes of columns. */
export function bytesOf(columns: Tree): number {
  return leaves(columns).reduce((n, t) => n + t.data.byteLength, 0);
}

/**
 * Copies rows between columns of the same layout. Created once, to keep lookups out of copies; `leading` is the number of
 * axes that index rows in the source (2 for [time, rows, …]).
 */
export class RowCopy {
  private readonly from: readonly Tensor[];
  private readonly to: readonly Tensor[];
  private readonly widths: readonly number[];

  constructor(from: Tree, to: Tree, leading = 1) {
    this.from = leaves(from);
    this.to = matchLeaves(from, to, "replay", "the destination of a row copy");
    this.widths = this.from.map((t) => t.shape.slice(leading).reduce((n, d) => n * d, 1));
  }

  copy(fromRow: number, toRow: number): void {
    const { from, to, widths } = this;
    for (let k = 0; k < from.length; k++) {
      const width = widths[k];
      const source = from[k].data;
      const target = to[k].data;
      const start = fromRow * width;
      const end = toRow * width;
      // A loop is faster than TypedArray.set for a few elements, and makes no subarray.
      if (width <= 64) for (let i = 0; i < width; i++) target[end + i] = source[start + i];
      else target.set(source.subarray(start, start + width), end);
    }
  }
}
