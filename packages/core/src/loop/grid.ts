import { leaves, matchLeaves, type Tensor, type Tree, treeMap, zeros } from "@reins/tensor";

/** Columns [time, rows, …] with the layout of `sample`, whose tensors are [rows, …]. */
export function gridOf<T extends Tree>(sample: T, time: number): T {
  return treeMap((t) => zeros([time, ...t.shape], t.dtype), sample);
}

/** Copies the tensors of one time step into row `t` of a grid. Created once, to keep lookups out of the step. */
export class Writer {
  private readonly from: Tensor[];
  private readonly to: Tensor[];

  constructor(from: Tree, to: Tree) {
    this.from = leaves(from);
    this.to = matchLeaves(from, to, "rollout", "the grid");
  }

  write(t: number): void {
    for (let k = 0; k < this.from.length; k++) {
      const source = this.from[k].data;
      const target = this.to[k].data;
      const n = source.length;
      const start = t * n;
      // A loop is faster than TypedArray.set for a few elements.
      if (n <= 64) for (let i = 0; i < n; i++) target[start + i] = source[i];
      else target.set(source, start);
    }
  }
}
