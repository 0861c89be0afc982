import type { Tensor, Tree } from "@reins/tensor";
import type { Columns } from "../batch.ts";
import { timeLimitOf } from "../env-spec.ts";
import { fail } from "../errors.ts";
import { restore, type Snapshot, save } from "../snapshot.ts";
import { zeroColumn } from "../spaces/layout.ts";
import type { EntryFormat, EntryRecorder, Slots, StepColumns } from "./record.ts";
import { RowCopy, roomFor } from "./rows.ts";

/** Settings of {@link episodeReturns}. */
export interface EpisodeReturnsOptions {
  /** The discount factor; read at the end of an episode. */
  readonly gamma: () => number;
  /** Maximum length of a fragment; longer episodes are split. */
  readonly maxSteps?: number;
}

/** Additional columns of rollouts with a critic. */
type JudgedSteps = StepColumns & { readonly value?: Tensor; readonly bootstrap?: Tensor };

/** Columns about the result of a step or its value at the time; an entry has the return instead. */
const outcomes = [
  "reward",
  "terminated",
  "truncated",
  "first",
  "alive",
  "value",
  "bootstrap",
  "logProb",
  "next",
];

/**
 * Steps with the return that followed them, as entries once their episode has ended. After a truncation the critic's value stands for the
 * rest (columns `bootstrap` and `value`).
 */
export function episodeReturns(options: EpisodeReturnsOptions): EntryFormat {
  return (steps, capacity) => new Returns(steps, capacity, options);
}

class Returns implements EntryRecorder {
  readonly columns: Columns;
  private readonly steps: JudgedSteps;
  private readonly options: EpisodeReturnsOptions;
  private readonly longest: number;
  /** Steps of the current episode of each row, [rows × longest, …], and their rewards. */
  private readonly open: Tree;
  private readonly rewards: Float64Array;
  private readonly lengths: Int32Array;
  /** Steps that the agent waited after each of its steps; undefined where agents never wait. */
  private readonly waits: Int32Array | undefined;
  /** Returns of the episode that is being completed. */
  private readonly sums: Float64Array;
  private readonly returns: Tensor;
  private readonly keep: RowCopy;
  private readonly settle: RowCopy;

  constructor(steps: StepColumns, capacity: number, options: EpisodeReturnsOptions) {
    this.steps = steps;
    this.options = options;
    this.longest = timeLimitOf(options) ?? 1000;
    if (steps.state !== undefined)
      fail(
        "episodeReturns",
        "single steps lack the recurrent state of a policy with memory. Use a policy without memory.",
      );
    const kept = Object.fromEntries(
      Object.entries(steps as { readonly [name: string]: Tree }).filter(([name]) => !outcomes.includes(name)),
    );
    const rows = steps.reward.shape[1];
    this.open = roomFor(kept, rows * this.longest, 2);
    this.rewards = new Float64Array(rows * this.longest);
    this.lengths = new Int32Array(rows);
    this.waits = steps.alive && new Int32Array(rows * this.longest);
    this.sums = new Float64Array(this.longest);
    const storage = roomFor(kept, capacity, 2);
    this.returns = zeroColumn("f32", [capacity]);
    this.columns = { ...(storage as Columns), return: this.returns };
    this.keep = new RowCopy(kept, this.open, 2);
    this.settle = new RowCopy(this.open, storage);
  }

  add(slots: Slots): void {
    const { steps, longest, lengths, rewards } = this;
    const [time, rows] = steps.reward.shape;
    const alive = steps.alive?.data;
    for (let t = 0; t < time; t++)
      for (let row = 0; row < rows; row++) {
        const at = t * rows + row;
        if (alive && !alive[at]) {
          if (lengths[row]) this.wait(at, row, slots);
          continue;
        }
        // A longer episode continues in a new fragment, whose value is the critic's estimate.
        if (lengths[row] === longest) this.end(row, steps.value?.data[at] ?? 0, slots);
        const place = row * longest + lengths[row]++;
        this.keep.copy(at, place);
        rewards[place] = this.rewardAt(at);
        if (this.waits) this.waits[place] = 0;
        this.settleEnd(at, row, slots);
      }
  }

  private rewardAt(at: number): number {
    const { reward } = this.steps;
    const components = reward.shape[2] ?? 1;
    let sum = 0;
    for (let k = 0; k < components; k++) sum += reward.data[at * components + k];
    return sum;
  }

  /** A step in which the agent waits: its reward belongs to the agent's last action. */
  private wait(at: number, row: number, slots: Slots): void {
    const place = row * this.longest + this.lengths[row] - 1;
    this.rewards[place] += this.options.gamma() ** ++this.waits![place] * this.rewardAt(at);
    this.settleEnd(at, row, slots);
  }

  private settleEnd(at: number, row: number, slots: Slots): void {
    const { steps } = this;
    if (steps.terminated.data[at]) this.end(row, 0, slots);
    else if (steps.truncated.data[at]) this.end(row, steps.bootstrap?.data[at] ?? 0, slots);
  }

  /** Makes entries of a row's steps; `rest` is the value after the last one. */
  private end(row: number, rest: number, slots: Slots): void {
    const { lengths, longest, rewards, sums, waits } = this;
    const gamma = this.options.gamma();
    const length = lengths[row];
    const base = row * longest;
    let sum = rest;
    for (let t = length - 1; t >= 0; t--)
      sums[t] = sum = rewards[base + t] + gamma ** (1 + (waits?.[base + t] ?? 0)) * sum;
    for (let t = 0; t < length; t++) {
      const slot = slots.claim();
      this.settle.copy(base + t, slot);
      this.returns.data[slot] = sums[t];
    }
    lengths[row] = 0;
  }

  interrupt(): void {
    this.lengths.fill(0);
  }

  private get parts() {
    const { open, rewards, lengths, waits } = this;
    return { open, rewards, lengths, ...(waits ? { waits } : {}) };
  }

  save(): Snapshot {
    return save(this.parts);
  }

  restore(from: Snapshot): void {
    restore(this.parts, from);
  }
}
