import { type Tensor, take, treeMap } from "@reins/tensor";
import type { Columns } from "../batch.ts";
import type { Experience } from "../experience.ts";

/** A minibatch, and how much each of its entries counts where they were not drawn uniformly. */
export interface Drawn {
  readonly columns: Columns;
  readonly weight?: Tensor;
}

/** Traced: draws a minibatch from experience's columns where they lie. */
export function draw(experience: Experience, columns: Columns, count: number, key: Tensor): Drawn {
  const { index, weight } = experience.pick(count, key);
  const rows = experience.gather?.(columns, index) ?? entriesAt(columns, index);
  return { columns: rows, weight };
}

/** Traced: some rows of columns. */
export function entriesAt(columns: Columns, index: Tensor): Columns {
  return treeMap((t) => take(t, index, 0), columns);
}
