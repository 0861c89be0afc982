import { scalar, type Tensor, type Tree } from "@reins/tensor";
import type { Batch, Columns } from "../batch.ts";
import { fail } from "../errors.ts";
import type { ReplayBuffer } from "../experience.ts";
import { isSaved, type Snapshot } from "../snapshot.ts";
import { type MakeReplaySampler, type ReplaySampler, uniformSampler } from "./choose.ts";
import { filledRows, restoreRows } from "./filled-rows.ts";
import { nStep } from "./n-step.ts";
import { ownSteps } from "./own-steps.ts";
import type { EntryFormat, EntryRecorder, Slots, StepColumns } from "./record.ts";
import { bytesOf, RowCopy } from "./rows.ts";

/** Makes a replay buffer for steps of a given layout, which only the rollout knows, and minibatches of a given size. */
export type ReplayBufferMaker = (steps: StepColumns, batch: number) => ReplayBuffer;

/** Settings of {@link replay}. */
export interface ReplayOptions {
  /** Replay buffer size in entries; the oldest are overwritten. Larger keeps older data and takes more memory (10⁴ to 10⁶). */
  readonly capacity: number;
  /** The kind of entry: transitions over one or several steps, windows of steps, relabelled goals (default: one step). */
  readonly record?: EntryFormat;
  /** How entries are sampled: uniformly (the default), or by priority. */
  readonly choose?: MakeReplaySampler;
}

/** A replay buffer: a ring of entries, in which new ones overwrite the oldest when it is full. */
export function replay({
  capacity,
  record = nStep(),
  choose = uniformSampler(),
}: ReplayOptions): ReplayBufferMaker {
  if (!Number.isInteger(capacity) || capacity < 1)
    fail("replay", `capacity is ${capacity}; it must be a whole number from 1.`);
  return (steps, batch) =>
    new Ring(steps, capacity, ownSteps(record)(steps, capacity), choose(capacity, batch));
}

/** Refuses a ring that does not fit: in a larger one, new entries would follow the oldest, and slots that were never written count as entries. */
export function checkRing(ring: { readonly size: number; readonly cursor: number }, capacity: number): void {
  const { size, cursor } = Object(ring) as typeof ring;
  if (typeof size !== "number" || size > capacity || (size < capacity && cursor !== size))
    fail(
      "restore",
      `the checkpoint's replay buffer holds ${size} entries, but this one has a capacity of ${capacity}. Use the same capacity.`,
    );
}

class Ring implements ReplayBuffer, Slots {
  readonly capacity: number;
  readonly columns: Columns;
  readonly bytes: number;
  readonly size: Tensor = scalar(0, "i32");
  readonly sample: ReplayBuffer["sample"];
  readonly prepare: ReplayBuffer["prepare"];
  readonly updatePriorities: ReplayBuffer["updatePriorities"];
  readonly effective: ReplayBuffer["effective"];
  private readonly steps: StepColumns;
  private readonly recording: EntryRecorder;
  private readonly chooser: ReplaySampler;
  private cursor = 0;

  constructor(steps: StepColumns, capacity: number, recording: EntryRecorder, chooser: ReplaySampler) {
    this.steps = steps;
    this.capacity = capacity;
    this.recording = recording;
    this.chooser = chooser;
    this.columns = recording.columns;
    this.bytes = bytesOf(recording.columns as Tree) + chooser.bytes;
    this.sample = (count, key) => chooser.pick(count, key, this.size);
    this.prepare = chooser.prepare && (() => chooser.prepare!(this.size.data[0]));
    this.updatePriorities = chooser.learned && ((errors) => chooser.learned!(errors));
    this.effective = chooser.effective && (() => chooser.effective!());
  }

  /** The slot of a new entry. */
  claim(): number {
    const slot = this.cursor;
    this.cursor = slot + 1 === this.capacity ? 0 : slot + 1;
    const size = this.size.data;
    if (size[0] < this.capacity) size[0]++;
    this.chooser.added?.(slot);
    return slot;
  }

  add({ columns }: Batch): void {
    // The recording reads the columns it was made for; a batch in other columns is copied there first.
    if (columns !== this.steps) new RowCopy(columns as Tree, this.steps as Tree, 0).copy(0, 0);
    this.recording.add(this);
  }

  interrupt(): void {
    this.recording.interrupt();
  }

  save(): Snapshot {
    const { cursor, recording, chooser } = this;
    const size = this.size.data[0];
    const parts = { recording: recording.save(), chooser: isSaved(chooser) ? chooser.save() : null };
    return { size, cursor, columns: filledRows(this.columns as Tree, size), ...parts };
  }

  restore(from: Snapshot): void {
    const s = from as { size: number; cursor: number } & { [name: string]: Snapshot };
    checkRing(s, this.capacity);
    this.size.data[0] = s.size;
    this.cursor = s.cursor;
    restoreRows(this.columns as Tree, s.columns);
    this.recording.restore(s.recording);
    if (isSaved(this.chooser)) this.chooser.restore(s.chooser);
  }
}
