import { type Tensor, take, treeMap } from "@reins/tensor";
import type { Columns } from "../batch.ts";
import type { Experience } from "../experience.ts";

/** A minibatch, with importance weights if it was not sampled uniformly. */
export interface SampledBatch {
  readonly columns: Columns;
  readonly weight?: Tensor;
}

/** Traced: samples a minibatch from the columns of experience, in place. */
export function draw(experience: Experience, columns: Columns, count: number, key: Tensor): SampledBatch {
  const { index, weight } = experience.sample(count, key);
  const rows = experience.gather?.(columns, index) ?? gatherRows(columns, index);
  return { columns: rows, weight };
}

/** Traced: some rows of columns. */
export function gatherRows(columns: Columns, index: Tensor): Columns {
  return treeMap((t) => take(t, index, 0), columns);
}
