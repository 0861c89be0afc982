import { leaves, matchLeaves, type Tensor, type Tree, tensor, treeMap } from "@reins/tensor";
import { fail } from "../errors.ts";
import type { Snapshot } from "../snapshot.ts";

/** A copy of the first `rows` rows of columns, so that a checkpoint does not hold unused rows. */
export function filledRows(columns: Tree, rows: number): Snapshot {
  return treeMap((t) => {
    const width = t.size / t.shape[0];
    return tensor(t.data.slice(0, rows * width), { shape: [rows, ...t.shape.slice(1)], dtype: t.dtype });
  }, columns) as Snapshot;
}

/** Restores such a copy. */
export function restoreRows(columns: Tree, from: Snapshot): void {
  const here = leaves(columns);
  const saved = matchLeaves(columns, from as Tree, "restore", "the checkpoint's replay");
  here.forEach((t, i) => {
    const own = (x: Tensor) => x.shape.slice(1).join();
    if (own(t) !== own(saved[i]))
      fail(
        "restore",
        `a column of the replay buffer has rows of shape [${own(t)}]; the checkpoint has [${own(saved[i])}].`,
      );
    t.data.set(saved[i].data);
  });
}
