import type { Tensor, Tree } from "@reins/tensor";
import type { Columns } from "../batch.ts";
import type { Saved } from "../snapshot.ts";

/** Steps as a rollout hands them over, each column [time, rows, …]. */
export type StepColumns = {
  /** What the agent saw. */
  readonly observation: Tree;
  /** What was executed. */
  readonly action: Tree;
  readonly reward: Tensor;
  readonly terminated: Tensor;
  readonly truncated: Tensor;
  /** What the step led to: at an episode's end its last observation, not the next one's first. */
  readonly next: Tree;
  /** Allowed choices, before and after. */
  readonly mask?: Tree;
  readonly nextMask?: Tree;
  /** bool: an agent was there. Steps without one are not recorded. */
  readonly alive?: Tensor;
  /** bool: the step begins an episode. */
  readonly first?: Tensor;
  /** What a policy with memory carried into the step. */
  readonly state?: Tree;
};

/** Where entries go. */
export interface Slots {
  /** The slot for a new entry, which must be written at once. */
  claim(): number;
}

/** Turns a stream of steps into entries. Its own state is what has begun and is not an entry yet. */
export interface Recording extends Saved {
  /** Storage of the entries, [capacity, …]. */
  readonly columns: Columns;
  /** Reads the step columns that it was made for, and writes what they complete. */
  add(slots: Slots): void;
}

/** A way to record. */
export type Record = (steps: StepColumns, capacity: number) => Recording;
