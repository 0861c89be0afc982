import type { Tensor } from "@reins/tensor";
import type { Batch } from "./batch.ts";
import type { Episode } from "./episode.ts";
import type { Saved } from "./snapshot.ts";
import type { Columns } from "./target.ts";

/**
 * Where experience waits to be learned from: a dataset, demonstrations, a pool of successes, a mixture. A rollout's batch that is learned
 * from once needs none. Memory is typed arrays of a bound that is stated when it is made.
 */
export interface Experience extends Saved {
  /** Steps or episodes held now. */
  readonly size: number;
  /** The most it will hold; older ones make room. */
  readonly capacity: number;
  /** Bytes of memory (or disk) that it takes when it is full. */
  readonly bytes: number;
  add(what: Batch | readonly Episode[]): void;
  /** A batch of `count` entries; the same key gives the same one. */
  sample(count: number, key: Tensor): Batch;
}

/**
 * Experience in columns that compiled updates read where they lie. Rows are chosen inside the compiled function where chance alone
 * decides (uniform), and on the host before it where memory does (priorities, hindsight).
 */
export interface Replay extends Saved {
  readonly capacity: number;
  readonly bytes: number;
  /** Entries held now (i32 scalar, read at every call). */
  readonly size: Tensor;
  /** Storage, each [capacity, …]: `observation`, `action`, `reward`, `discount` (0 after a termination), `next`, … */
  readonly columns: Columns;
  /** Traced: which rows make the next minibatch, [count], with importance weights where the choice is not uniform. */
  pick(count: number, key: Tensor): { readonly index: Tensor; readonly weight?: Tensor };
  /** Host, before an update that calls {@link pick}: chooses rows, where that is not left to chance. */
  prepare?(): void;
  /** Host, after an update: the new errors of the rows that were picked. */
  learned?(errors: Tensor): void;
}
