import { type Tensor, type Tree, treeMap } from "@reins/tensor";
import type { Columns } from "../batch.ts";
import { restore, type Snapshot, save } from "../snapshot.ts";
import { zeroColumn } from "../spaces/layout.ts";
import type { EntryFormat, EntryRecorder, Slots, StepColumns } from "./record.ts";
import { RowCopy } from "./rows.ts";

/**
 * Records from one action of an agent to its next one, for agents that wait in between: a step gets the rewards that arrive while its agent
 * waits, leads to the observation that the agent acts on next, and ends when the episode ends, even if the agent was waiting then.
 * Steps without waiting stay as they are.
 */
export function ownSteps(record: EntryFormat): EntryFormat {
  return (steps, capacity) =>
    steps.alive && steps.nextAlive ? new OwnSteps(steps, record, capacity) : record(steps, capacity);
}

/** Columns that the action's step determines, and those that its last step determines. */
const actedNames = ["observation", "action", "mask", "first", "state"] as const;
const reachedNames = ["next", "nextMask", "terminated", "truncated"] as const;

class OwnSteps implements EntryRecorder {
  readonly columns: Columns;
  private readonly steps: StepColumns;
  private readonly inner: EntryRecorder;
  /** One step of each row: the open one, until it is complete. */
  private readonly own: StepColumns;
  /** Whether a row has an open step. */
  private readonly open: Uint8Array;
  /** Whether a row's episode began while its agent was waiting. */
  private readonly began: Uint8Array;
  private readonly acted: RowCopy;
  private readonly reached: RowCopy;

  constructor(steps: StepColumns, record: EntryFormat, capacity: number) {
    this.steps = steps;
    const { nextAlive: _, ...kept } = steps;
    const rows = steps.reward.shape[1];
    this.own = treeMap((t) => zeroColumn(t.dtype, [1, ...t.shape.slice(1)]), kept as Tree) as StepColumns;
    this.open = new Uint8Array(rows);
    this.began = new Uint8Array(rows);
    this.acted = new RowCopy(parts(steps, actedNames), parts(this.own, actedNames), 2);
    this.reached = new RowCopy(parts(steps, reachedNames), parts(this.own, reachedNames), 2);
    this.inner = record(this.own, capacity);
    this.columns = this.inner.columns;
  }

  add(slots: Slots): void {
    const [time, rows] = this.steps.reward.shape;
    const complete = this.own.alive!.data;
    for (let t = 0; t < time; t++) {
      let any = 0;
      for (let row = 0; row < rows; row++) any |= complete[row] = this.advance(t * rows + row, row);
      if (any) this.inner.add(slots);
    }
  }

  /** Adds the step at `at` to the row's own step; 1 if that is complete. */
  private advance(at: number, row: number): number {
    const { steps, own, open, began } = this;
    const first = steps.first?.data[at] ?? 0;
    if (steps.alive!.data[at]) {
      this.acted.copy(at, row);
      if (own.first) own.first.data[row] = first || began[row];
      own.reward.data[row] = steps.reward.data[at];
      open[row] = 1;
      began[row] = 0;
    } else {
      began[row] |= first;
      if (open[row]) own.reward.data[row] += steps.reward.data[at];
    }
    const ended = steps.terminated.data[at] | steps.truncated.data[at];
    if (ended) began[row] = 0;
    if (!open[row] || !(ended || steps.nextAlive!.data[at])) return 0;
    this.reached.copy(at, row);
    open[row] = 0;
    return 1;
  }

  interrupt(): void {
    this.open.fill(0);
    this.began.fill(0);
    this.inner.interrupt();
  }

  private get parts() {
    const { own, open, began, inner } = this;
    return { own, open, began, inner };
  }

  save(): Snapshot {
    return save(this.parts);
  }

  restore(from: Snapshot): void {
    restore(this.parts, from);
  }
}

/** Some columns of steps, without those that they lack. */
function parts(steps: StepColumns, names: readonly (keyof StepColumns)[]): Tree {
  const found: Record<string, Tensor | Tree> = {};
  for (const name of names) {
    const column = steps[name];
    if (column) found[name] = column;
  }
  return found as Tree;
}
