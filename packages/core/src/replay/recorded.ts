import { leaves, scalar, type Tree } from "@reins/tensor";
import { fail } from "../errors.ts";
import type { Replay } from "../experience.ts";
import type { Columns } from "../target.ts";
import { anyOf } from "./choose.ts";
import { bytesOf } from "./rows.ts";

/** Transitions that were recorded before, as a replay that does not grow: demonstrations, logs. Its columns are used where they lie. */
export function recorded(columns: Columns): Replay {
  const all = leaves(columns as Tree);
  const count = all[0]?.shape[0] ?? 0;
  if (count === 0) fail("recorded", "there are no entries.");
  if (all.some((t) => t.shape[0] !== count)) fail("recorded", "columns have different numbers of entries.");
  const size = scalar(count, "i32");
  return {
    capacity: count,
    bytes: bytesOf(columns as Tree),
    size,
    columns,
    pick: (n, key) => ({ index: anyOf(n, key, size) }),
    save: () => null,
    restore() {},
  };
}
