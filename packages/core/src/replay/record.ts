import type { Tensor, Tree } from "@reins/tensor";
import type { Columns } from "../batch.ts";
import type { Interruptible, Saved } from "../snapshot.ts";

/** Steps from a rollout, each column [time, rows, …]. */
export type StepColumns = {
  readonly observation: Tree;
  /** The executed action. */
  readonly action: Tree;
  readonly reward: Tensor;
  readonly terminated: Tensor;
  readonly truncated: Tensor;
  /** The state that the step led to: at an episode's end its last observation, not the next one's first. */
  readonly next: Tree;
  /** Allowed choices, before and after. */
  readonly mask?: Tree;
  readonly nextMask?: Tree;
  /** bool: the agent acted. Other steps are not recorded; with `nextAlive`, their rewards belong to the agent's last action. */
  readonly alive?: Tensor;
  /** bool: the agent acts in the following step. False while it waits for its turn. */
  readonly nextAlive?: Tensor;
  /** bool: the step begins an episode. */
  readonly first?: Tensor;
  /** Recurrent state before the step. */
  readonly state?: Tree;
};

/** Allocates slots for entries. */
export interface Slots {
  /** The slot for a new entry, which must be written at once. */
  claim(): number;
}

/** Turns a stream of steps into entries. Its state is the entries that are not complete yet. */
export interface EntryRecorder extends Saved, Interruptible {
  /** Storage of the entries, [capacity, …]. */
  readonly columns: Columns;
  /** Reads the step columns that it was made for, and writes the entries that they complete. */
  add(slots: Slots): void;
}

/** A way to record entries. */
export type EntryFormat = (steps: StepColumns, capacity: number) => EntryRecorder;
