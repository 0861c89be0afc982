import { leaves, type Tensor } from "@reins/tensor";
import type { Batch, Columns } from "./batch.ts";
import { fail } from "./errors.ts";
import type { Learner } from "./learner.ts";
import type { Interruptible, Saved } from "./snapshot.ts";

/**
 * A source of training data: a dataset, demonstrations, a replay buffer, a mixture. It consists of columns that compiled updates
 * read in place. Uniform sampling happens inside the compiled function; sampling that depends on state (priorities, hindsight) happens
 * on the host before it. A rollout's batch that is used once needs none.
 */
export interface Experience extends Saved {
  /** Maximum number of entries; the oldest are overwritten. */
  readonly capacity: number;
  /** Bytes of memory (or disk) when it is full. */
  readonly bytes: number;
  /** Current number of entries (i32 scalar, read at every call). */
  readonly size: Tensor;
  /** Storage, each [capacity, …]: `observation`, `action`, `reward`, `discount` (0 after a termination), `next`, … */
  readonly columns: Columns;
  /** Traced: the rows of the next minibatch, [count], with importance weights if sampling is not uniform. */
  sample(count: number, key: Tensor): { readonly index: Tensor; readonly weight?: Tensor };
  /** Traced: gathers the entries of an index, if they are not single rows. `columns` are its own, as the function sees them. */
  gather?(columns: Columns, index: Tensor): Columns;
  /** Host, before an update that calls {@link sample}: samples rows, if that does not happen in the compiled function. */
  prepare?(): void;
  /** Host, after an update: the new TD errors of the sampled rows. */
  updatePriorities?(errors: Tensor): void;
  /** Host: effective size of the last minibatch as a fraction of a uniform one, if its entries have weights. */
  effective?(): number;
}

/** A replay buffer: experience that grows with the steps of a rollout. */
export interface ReplayBuffer extends Experience, Interruptible {
  /** Adds a grid of steps, [time, rows, …]. */
  add(steps: Batch): void;
}

/** Throws if the experience lacks columns that the learner reads. */
export function checkColumns(name: string, { reads }: Pick<Learner, "reads">, columns: Columns): void {
  // [entries, 1] would broadcast against every other entry. Windows of one step mark which are `valid`.
  for (const column of columns.valid ? [] : ["reward", "discount"])
    for (const { shape } of leaves(columns[column]))
      if (shape.length > 1 && shape[shape.length - 1] === 1)
        fail(
          name,
          `column \`${column}\` is [${shape}]; it must have one number per entry, without the last axis.`,
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
