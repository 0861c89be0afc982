import { leaves, type Tensor } from "@reins/tensor";
import type { Batch, Columns } from "./batch.ts";
import { fail } from "./errors.ts";
import type { Learner } from "./learner.ts";
import type { Saved } from "./snapshot.ts";

/**
 * Where experience waits to be learned from: a dataset, demonstrations, a replay, a mixture. It lies in columns that compiled updates
 * read where they are. Rows are chosen inside the compiled function where chance alone decides (uniform), and on the host before it
 * where memory does (priorities, hindsight). A rollout's batch that is learned from once needs none.
 */
export interface Experience extends Saved {
  /** The most entries it will hold; older ones make room. */
  readonly capacity: number;
  /** Bytes of memory (or disk) that it takes when it is full. */
  readonly bytes: number;
  /** Entries held now (i32 scalar, read at every call). */
  readonly size: Tensor;
  /** Storage, each [capacity, …]: `observation`, `action`, `reward`, `discount` (0 after a termination), `next`, … */
  readonly columns: Columns;
  /** Traced: which rows make the next minibatch, [count], with importance weights where the choice is not uniform. */
  pick(count: number, key: Tensor): { readonly index: Tensor; readonly weight?: Tensor };
  /** Traced: the entries that an index names, where they do not simply lie in rows. `columns` are its own, as the function sees them. */
  gather?(columns: Columns, index: Tensor): Columns;
  /** Host, before an update that calls {@link pick}: chooses rows, where that is not left to chance. */
  prepare?(): void;
  /** Host, after an update: the new errors of the rows that were picked. */
  learned?(errors: Tensor): void;
  /** Host: as how large a share of a uniform minibatch the last one counts, where its entries have weights. */
  effective?(): number;
}

/** Experience that grows: a rollout's steps go in, entries to learn from lie in its columns. */
export interface Replay extends Experience {
  /** Notes a grid of steps, [time, rows, …]. */
  add(steps: Batch): void;
}

/** Refuses experience that lacks what a learner reads. */
export function admitColumns(name: string, { reads }: Pick<Learner, "reads">, columns: Columns): void {
  // One number an entry: as [entries, 1] it would be combined with every other entry. Windows of one step say which are `valid`.
  for (const column of columns.valid ? [] : ["reward", "discount"])
    for (const { shape } of leaves(columns[column]))
      if (shape.length > 1 && shape[shape.length - 1] === 1)
        fail(
          name,
          `column \`${column}\` is [${shape}]; it must be one number an entry, without the last axis.`,
        );
  const missing = reads?.filter((n) => columns[n] === undefined || columns[n] === null) ?? [];
  if (missing.length === 0) return;
  const quoted = (names: readonly string[]) => names.map((n) => `\`${n}\``).join(", ");
  const there = quoted(Object.keys(columns)) || "none";
  fail(
    name,
    `it learns from columns ${quoted(reads ?? [])}; the experience has ${there}. Add ${quoted(missing)}.`,
  );
}
