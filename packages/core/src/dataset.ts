import { compile, leaves, random, type Tensor, type Tree, take, treeMap } from "@reins/tensor";
import { type Batch, pack, sizeOf } from "./batch.ts";
import type { Episode } from "./episode.ts";
import { fail } from "./errors.ts";
import type { Experience } from "./experience.ts";
import type { Snapshot } from "./snapshot.ts";

/** Recorded steps to learn from, each as likely as the others. It does not change, so a checkpoint need not hold it. */
export function dataset(what: Batch | readonly Episode[]): Experience {
  const { columns, ...rest } = "columns" in what ? what : pack(what);
  const size = sizeOf({ columns, ...rest });
  if (size === 0) fail("dataset", "is empty.");
  const pick = compile((all: Tree, order: Tensor) => treeMap((t) => take(t, order), all), {
    name: "dataset",
  });
  return {
    size,
    capacity: size,
    bytes: leaves(columns).reduce((n, t) => n + t.data.byteLength, 0),
    add: () => fail("dataset", "cannot grow. Use a replay for experience that does."),
    sample: (count, key) => ({
      columns: pick(columns, random.randint(key, [count], 0, size)) as Batch["columns"],
      index: { kind: "steps", count },
    }),
    save: (): Snapshot => null,
    restore() {},
  };
}
