import { type Tensor, type Tree, take, treeMap } from "@reins/tensor";
import type { Replay } from "../experience.ts";
import type { Columns } from "../target.ts";

/** A replay whose entries lie in several places says how they are read. */
export interface Gathering {
  /** Traced: the entries that an index of `pick` names. `columns` are the replay's, as the compiled function sees them. */
  gather(columns: Columns, index: Tensor): Columns;
}

/** A minibatch, and how much each of its entries counts where they were not drawn uniformly. */
export interface Drawn {
  readonly columns: Columns;
  readonly weight?: Tensor;
}

/** Traced: draws a minibatch from a replay's columns where they lie. */
export function draw(
  replay: Replay & Partial<Gathering>,
  columns: Columns,
  count: number,
  key: Tensor,
): Drawn {
  const { index, weight } = replay.pick(count, key);
  const rows = replay.gather?.(columns, index) ?? entriesAt(columns, index);
  return { columns: rows, weight };
}

/** Traced: some rows of columns. */
export function entriesAt(columns: Columns, index: Tensor): Columns {
  return treeMap((t) => take(t, index, 0), columns as Tree) as Columns;
}
