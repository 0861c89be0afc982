import { type Tensor, type Tree, treeMap } from "@reins/tensor";
import type { Columns } from "../batch.ts";
import { fail } from "../errors.ts";
import type { LiveValue } from "../signals/live.ts";
import { restore, type Snapshot, save } from "../snapshot.ts";
import { zeroColumn } from "../spaces/layout.ts";
import type { EntryFormat, EntryRecorder, Slots, StepColumns } from "./record.ts";
import { RowCopy, roomFor } from "./rows.ts";

/** Settings of {@link windows}. */
export interface WindowOptions {
  /** Steps of a window. More lets memory reach further back and costs more (8 to 80). */
  readonly length: number;
  /** Steps shared with the previous window, as burn-in for memory (0 to half the length). */
  readonly overlap?: number;
  /** Whether the later steps of an episode's last window start shorter windows too: with the maximum overlap, every step starts one. */
  readonly tails?: boolean;
  /** Discount factor per step. */
  readonly gamma?: number | LiveValue;
}

/**
 * Windows of consecutive steps of one episode, for learners with memory (Kapturowski et al., "Recurrent Experience Replay in Distributed
 * Reinforcement Learning", 2019). An entry's columns are [length, …]; `valid` marks the real steps, since the last window of an
 * episode may be shorter; `first` marks an episode's first step; `state` is the recurrent state at the start of the window.
 */
export function windows({ length, overlap = 0, tails = false, gamma = 0.99 }: WindowOptions): EntryFormat {
  if (!Number.isInteger(length) || length < 1)
    fail("windows", `length is ${length}; it must be a whole number from 1.`);
  if (!Number.isInteger(overlap) || overlap < 0 || overlap >= length)
    fail("windows", `overlap is ${overlap}; it must be a whole number from 0 to ${length - 1}.`);
  return (steps, capacity) => new Windows(steps, capacity, { length, overlap, tails, gamma });
}

class Windows implements EntryRecorder {
  readonly columns: Columns;
  private readonly steps: StepColumns;
  private readonly length: number;
  private readonly overlap: number;
  private readonly tails: boolean;
  private readonly gamma: number | LiveValue;
  private readonly valid: Tensor;
  /** Steps of the open window of each row, [rows × length, …]. */
  private readonly begun: Tree;
  private readonly discounts: Tensor;
  private readonly states: Tree;
  private readonly filled: Int32Array;
  private readonly note: RowCopy;
  private readonly noteState: RowCopy;
  private readonly shift: RowCopy;
  private readonly shiftState: RowCopy;
  private readonly emit: RowCopy;
  private readonly emitState: RowCopy;

  constructor(
    steps: StepColumns,
    capacity: number,
    { length, overlap, tails, gamma }: Required<WindowOptions>,
  ) {
    this.steps = steps;
    this.length = length;
    this.overlap = overlap;
    this.tails = tails;
    this.gamma = gamma;
    const rows = steps.reward.shape[1];
    const { observation, action, reward, next, mask, nextMask, first, state } = steps;
    const noted = {
      observation,
      action,
      reward,
      next,
      ...(mask ? { mask, nextMask } : {}),
      ...(first ? { first } : {}),
    };
    this.discounts = zeroColumn("f32", [rows * length]);
    this.states = roomFor((state ?? {}) as Tree, rows * length, 2);
    const staged = roomFor(noted as Tree, rows * length, 2) as Columns;
    this.begun = { ...staged, discount: this.discounts } as Tree;
    const storage = treeMap((t) => zeroColumn(t.dtype, [capacity, length, ...t.shape.slice(1)]), this.begun);
    const kept = roomFor((state ?? {}) as Tree, capacity, 2);
    this.valid = zeroColumn("bool", [capacity, length]);
    this.columns = { ...(storage as Columns), valid: this.valid, ...(state ? { state: kept } : {}) };
    this.filled = new Int32Array(rows);
    this.note = new RowCopy(noted as Tree, staged as Tree, 2);
    this.noteState = new RowCopy((state ?? {}) as Tree, this.states, 2);
    this.shift = new RowCopy(this.begun, this.begun);
    this.shiftState = new RowCopy(this.states, this.states);
    this.emit = new RowCopy(this.begun, storage);
    this.emitState = new RowCopy(this.states, kept);
  }

  add(slots: Slots): void {
    const { steps, filled, length } = this;
    const gamma = typeof this.gamma === "number" ? this.gamma : this.gamma.value;
    const [time, rows] = steps.reward.shape;
    const alive = steps.alive?.data;
    for (let t = 0; t < time; t++)
      for (let row = 0; row < rows; row++) {
        const at = t * rows + row;
        if (alive && !alive[at]) continue;
        const own = row * length + filled[row]++;
        this.note.copy(at, own);
        this.noteState.copy(at, own);
        const terminated = steps.terminated.data[at];
        this.discounts.data[own] = terminated ? 0 : gamma;
        const ended = terminated || steps.truncated.data[at];
        if (ended || filled[row] === length) this.complete(row, slots, !!ended);
      }
  }

  private complete(row: number, slots: Slots, ended: boolean): void {
    const { filled, length, overlap, tails } = this;
    const base = row * length;
    const count = filled[row];
    for (let from = 0; from < (ended && tails ? count : 1); from++)
      this.write(base + from, count - from, slots.claim());
    filled[row] = ended ? 0 : overlap;
    if (ended) return;
    for (let i = 0; i < overlap; i++) {
      this.shift.copy(base + length - overlap + i, base + i);
      this.shiftState.copy(base + length - overlap + i, base + i);
    }
  }

  /** Writes a window of `count` steps from an open one. */
  private write(from: number, count: number, slot: number): void {
    const { length } = this;
    for (let i = 0; i < length; i++) {
      // Padding repeats the last step, so that networks get valid numbers.
      this.emit.copy(from + Math.min(i, count - 1), slot * length + i);
      this.valid.data[slot * length + i] = i < count ? 1 : 0;
    }
    this.emitState.copy(from, slot);
  }

  interrupt(): void {
    this.filled.fill(0);
  }

  private get parts() {
    const { begun, states, filled } = this;
    return { begun, states, filled };
  }

  save(): Snapshot {
    return save(this.parts);
  }

  restore(from: Snapshot): void {
    restore(this.parts, from);
  }
}
