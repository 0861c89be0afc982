import type { Tensor, Tree } from "@reins/tensor";
import type { Columns } from "../batch.ts";
import { fail } from "../errors.ts";
import type { LiveValue } from "../signals/live.ts";
import { restore, type Snapshot, save } from "../snapshot.ts";
import { zeroColumn } from "../spaces/layout.ts";
import type { EntryFormat, EntryRecorder, Slots, StepColumns } from "./record.ts";
import { RowCopy, roomFor } from "./rows.ts";

/** Settings of {@link nStep}. */
export interface NStepOptions {
  /** Steps that an entry spans. More propagates rewards faster and has more variance (1 to 10). */
  readonly steps?: number;
  /** Discount factor per step; read when a step is added. */
  readonly gamma?: number | LiveValue;
}

/** A transition: observation and action, n-step reward, and the state it led to. */
export type TransitionColumns = {
  observation: Tree;
  action: Tree;
  /** Discounted sum of the rewards of the steps in between. */
  reward: Tensor;
  /** Factor of the value of `next`: γᵏ after k steps, 0 after a termination. */
  discount: Tensor;
  next: Tree;
  mask?: Tree;
  nextMask?: Tree;
};

/** The columns that every learner from transitions reads. */
export const transitions = ["observation", "action", "reward", "discount", "next"] as const;

/**
 * Transitions over `steps` steps of one environment: an entry is complete after that many, or at the end of the episode. After a
 * truncation, open entries bootstrap from the last observation, over the steps that they have.
 */
export function nStep({ steps: span = 1, gamma = 0.99 }: NStepOptions = {}): EntryFormat {
  if (!Number.isInteger(span) || span < 1)
    fail("nStep", `steps is ${span}; it must be a whole number from 1.`);
  return (steps, capacity) => new Transitions(steps, capacity, span, gamma);
}

/** The columns of an entry's first step. */
function seen({ observation, action, mask }: StepColumns): Tree {
  return { observation, action, ...(mask ? { mask } : {}) } as Tree;
}

/** The columns of an entry's last step. */
function reached({ next, nextMask }: StepColumns): Tree {
  return { next, ...(nextMask ? { nextMask } : {}) } as Tree;
}

class Transitions implements EntryRecorder {
  readonly columns: Columns;
  private readonly reward: Tensor;
  private readonly discount: Tensor;
  private readonly steps: StepColumns;
  private readonly span: number;
  private readonly gamma: number | LiveValue;
  /** First steps of entries that are still open, [rows × span, …], a ring for each row. */
  private readonly open: Tree;
  /** Rewards of open entries so far, and the discount of the next reward. */
  private readonly sums: Float64Array;
  private readonly discounts: Float64Array;
  /** Where each row's next entry begins in its ring, and how many of its entries are open. */
  private readonly heads: Int32Array;
  private readonly pending: Int32Array;
  private readonly begin: RowCopy;
  private readonly direct: RowCopy;
  private readonly settle: RowCopy;
  private readonly end: RowCopy;

  constructor(steps: StepColumns, capacity: number, span: number, gamma: number | LiveValue) {
    this.steps = steps;
    this.span = span;
    this.gamma = gamma;
    const rows = steps.reward.shape[1];
    const [before, after] = [roomFor(seen(steps), capacity, 2), roomFor(reached(steps), capacity, 2)];
    this.reward = zeroColumn("f32", [capacity]);
    this.discount = zeroColumn("f32", [capacity]);
    this.columns = {
      ...(before as Columns),
      ...(after as Columns),
      reward: this.reward,
      discount: this.discount,
    };
    this.open = roomFor(seen(steps), span > 1 ? rows * span : 1, 2);
    this.sums = new Float64Array(rows * span);
    this.discounts = new Float64Array(rows * span);
    this.heads = new Int32Array(rows);
    this.pending = new Int32Array(rows);
    this.direct = new RowCopy(seen(steps), before, 2);
    this.begin = new RowCopy(seen(steps), this.open, 2);
    this.settle = new RowCopy(this.open, before);
    this.end = new RowCopy(reached(steps), after, 2);
  }

  add(slots: Slots): void {
    const { steps, span } = this;
    const gamma = typeof this.gamma === "number" ? this.gamma : this.gamma.value;
    const [time, rows] = steps.reward.shape;
    const alive = steps.alive?.data;
    for (let t = 0; t < time; t++)
      for (let row = 0; row < rows; row++) {
        const at = t * rows + row;
        if (alive && !alive[at]) continue;
        if (span === 1) this.single(at, gamma, slots);
        else this.several(at, row, gamma, slots);
      }
  }

  private single(at: number, gamma: number, slots: Slots): void {
    const slot = slots.claim();
    this.direct.copy(at, slot);
    this.finish(at, slot, this.steps.reward.data[at], gamma);
  }

  private several(at: number, row: number, gamma: number, slots: Slots): void {
    const { span, sums, discounts, heads, pending, steps } = this;
    const base = row * span;
    const head = heads[row];
    this.begin.copy(at, base + head);
    sums[base + head] = 0;
    discounts[base + head] = 1;
    heads[row] = (head + 1) % span;
    const count = ++pending[row];
    const reward = steps.reward.data[at];
    for (let k = 0; k < count; k++) {
      const i = base + ((head - k + span) % span);
      sums[i] += discounts[i] * reward;
      discounts[i] *= gamma;
    }
    const ended = steps.terminated.data[at] || steps.truncated.data[at];
    // Oldest first, so that the ring keeps the order of time.
    for (let k = count - 1; k >= 0 && (ended || k === span - 1); k--) {
      const i = base + ((head - k + span) % span);
      const slot = slots.claim();
      this.settle.copy(i, slot);
      this.finish(at, slot, sums[i], discounts[i]);
      pending[row]--;
    }
  }

  /** Completes an entry with the step at `at`. */
  private finish(at: number, slot: number, reward: number, discount: number): void {
    this.end.copy(at, slot);
    this.reward.data[slot] = reward;
    this.discount.data[slot] = this.steps.terminated.data[at] ? 0 : discount;
  }

  interrupt(): void {
    this.pending.fill(0);
  }

  private get parts() {
    const { open, sums, discounts, heads, pending } = this;
    return { open, sums, discounts, heads, pending };
  }

  save(): Snapshot {
    return save(this.parts);
  }

  restore(from: Snapshot): void {
    restore(this.parts, from);
  }
}
