import { rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { iota, leaves, scalar, type Tensor, type Tree } from "@reins/tensor";
import type { Batch, Columns } from "../batch.ts";
import { fail } from "../errors.ts";
import type { ReplayBuffer } from "../experience.ts";
import { defaultRng } from "../numpy/index.ts";
import { nStep } from "../replay/n-step.ts";
import { ownSteps } from "../replay/own-steps.ts";
import type { EntryFormat, EntryRecorder, Slots, StepColumns } from "../replay/record.ts";
import { checkRing, type ReplayBufferMaker } from "../replay/replay.ts";
import { bytesOf, RowCopy, roomFor } from "../replay/rows.ts";
import type { Snapshot } from "../snapshot.ts";
import { defaultSeed, stream } from "../stream.ts";
import type { Digest } from "./digest.ts";
import { RecordFile } from "./record-file.ts";

/** Settings of {@link diskReplay}. */
export interface DiskReplayOptions {
  /** The file of the transitions; it is overwritten. */
  readonly path: string;
  /** Replay buffer size on disk; the oldest transitions are overwritten. */
  readonly capacity: number;
  /** Type of an entry (default: one step). */
  readonly record?: EntryFormat;
  readonly seed?: number;
  /** Saved copies to keep beside the file, newest first. */
  readonly keep?: number;
}

/** New transitions that are buffered in memory for one write. */
const staged = 64;

/**
 * A replay buffer in a file of fixed-size records, for experience that does not fit into memory. Only the minibatch and unwritten
 * transitions are in memory. Sampling is uniform, on the host. `save` copies the file beside itself, sharing blocks if the file system
 * supports it; the snapshot holds the copy's name and digest, and a damaged copy is refused.
 */
export function diskReplay(options: DiskReplayOptions): ReplayBufferMaker {
  const { capacity } = options;
  if (!Number.isInteger(capacity) || capacity < 1)
    fail("diskReplay", `capacity is ${capacity}; it must be a whole number from 1.`);
  return (steps, batch) => new DiskReplay(steps, batch, options);
}

class DiskReplay implements ReplayBuffer, Slots {
  readonly capacity: number;
  readonly bytes: number;
  readonly size: Tensor = scalar(0, "i32");
  /** The minibatch. */
  readonly columns: Columns;
  private readonly batch: number;
  private readonly options: DiskReplayOptions;
  private readonly steps: StepColumns;
  private readonly recording: EntryRecorder;
  private readonly random;
  private readonly record: Uint8Array;
  private readonly writing: readonly Tensor[];
  private readonly file: RecordFile;
  private cursor = 0;
  private waiting = 0;
  private saves = 0;

  constructor(steps: StepColumns, batch: number, options: DiskReplayOptions) {
    this.batch = batch;
    this.options = options;
    this.steps = steps;
    this.capacity = options.capacity;
    this.recording = ownSteps(options.record ?? nStep())(steps, staged);
    this.writing = leaves(this.recording.columns as Tree);
    this.record = new Uint8Array(bytesOf(this.recording.columns as Tree) / staged);
    this.bytes = this.record.length * options.capacity;
    this.random = defaultRng(stream(options.seed ?? defaultSeed, "disk"));
    this.columns = roomFor(this.recording.columns as Tree, batch, 1) as Columns;
    this.file = new RecordFile(options.path, this.record.length);
  }

  add({ columns }: Batch): void {
    if (columns !== this.steps) new RowCopy(columns as Tree, this.steps as Tree, 0).copy(0, 0);
    this.recording.add(this);
    this.flush();
  }

  claim(): number {
    // Claimed records have been written by now.
    if (this.waiting === staged) this.flush();
    return this.waiting++;
  }

  private flush(): void {
    const { record, size } = this;
    for (let row = 0; row < this.waiting; row++) {
      let at = 0;
      for (const { data } of this.writing) {
        const width = data.byteLength / staged;
        record.set(new Uint8Array(data.buffer, data.byteOffset + row * width, width), at);
        at += width;
      }
      this.file.write(this.cursor, record);
      this.cursor = (this.cursor + 1) % this.capacity;
      if (size.data[0] < this.capacity) size.data[0]++;
    }
    this.waiting = 0;
  }

  sample(count: number): { index: Tensor } {
    const rows = leaves(this.columns as Tree)[0].shape[0];
    if (rows !== count)
      fail(
        "diskReplay",
        `has room for minibatches of ${rows}, but ${count} were requested. Call reserve(${count}) first.`,
      );
    return { index: iota([count]) };
  }

  prepare(): void {
    const { record, batch } = this;
    const columns = leaves(this.columns as Tree);
    for (let row = 0; row < batch; row++) {
      const slot = this.random.integers(0, this.size.data[0]);
      this.file.read(slot, record);
      let at = 0;
      for (const { data } of columns) {
        const width = data.byteLength / batch;
        new Uint8Array(data.buffer, data.byteOffset + row * width, width).set(
          record.subarray(at, at + width),
        );
        at += width;
      }
    }
  }

  close(): void {
    this.file.close();
  }

  interrupt(): void {
    this.recording.interrupt();
  }

  save(): Snapshot {
    const { options, cursor, random, recording } = this;
    const { keep = 3 } = options;
    const serial = this.saves++;
    const copy = `${options.path}.${serial}`;
    const digest = this.file.copyTo(copy, this.size.data[0]);
    rmSync(`${options.path}.${serial - keep}`, { force: true });
    return {
      copy,
      digest: { ...digest },
      size: this.size.data[0],
      cursor,
      saves: this.saves,
      random: random.save(),
      recording: recording.save(),
    };
  }

  restore(from: Snapshot): void {
    const s = from as {
      copy: string;
      digest?: Digest;
      size: number;
      cursor: number;
      saves: number;
      random: Uint32Array;
      recording: Snapshot;
    };
    checkRing(s, this.capacity);
    // A snapshot may come from anyone: only copies beside the file are read.
    const copy = join(dirname(this.options.path), basename(s.copy));
    if (s.digest?.bytes !== s.size * this.record.length)
      fail("restore", `${copy} holds entries of another kind or version.`);
    this.file.beginWith(copy, s.digest);
    this.size.data[0] = s.size;
    this.cursor = s.cursor;
    this.saves = s.saves;
    this.random.restore(s.random);
    this.recording.restore(s.recording);
  }
}
