import { leaves, type Tensor, type Tree, treeMap, zeros } from "@reins/tensor";
import { type Interruptible, restore, type Saved, type Snapshot, save } from "../snapshot.ts";
import type { GridColumns } from "./step-rollout.ts";

/**
 * The latest grids of a rollout as one longer grid, oldest step first; episodes continue from one grid to the next. `alive` is false for
 * steps that have not been played yet.
 */
export class GridWindow implements Saved, Interruptible {
  readonly columns: GridColumns & { alive: Tensor };
  private readonly from: readonly Tensor[];
  private readonly to: readonly Tensor[];
  private readonly length: number;

  /** A window of `count` grids over `grid`, which a rollout fills repeatedly. */
  constructor(grid: GridColumns, count: number) {
    const [time, rows] = grid.reward.shape;
    const played = { ...grid, alive: grid.alive ?? zeros([time, rows], "bool").set(1) };
    this.columns = treeMap(
      (t) => zeros([count * t.shape[0], ...t.shape.slice(1)], t.dtype),
      played as Tree,
    ) as typeof this.columns;
    this.length = time * rows;
    this.from = leaves(played as Tree);
    this.to = leaves(this.columns as Tree);
  }

  /** Adds the current grid and drops the oldest. */
  push(): void {
    this.from.forEach((t, i) => {
      const kept = this.to[i].data;
      kept.copyWithin(0, t.size);
      kept.set(t.data, kept.length - t.size);
    });
  }

  /** Excludes the oldest grids from the loss. */
  forget(count: number): void {
    this.columns.alive.data.fill(0, 0, count * this.length);
  }

  interrupt(): void {
    this.columns.alive.data.fill(0);
  }

  save(): Snapshot {
    return save(this.columns);
  }

  restore(from: Snapshot): void {
    restore(this.columns, from);
  }
}
