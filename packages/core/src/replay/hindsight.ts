import type { Tensor, Tree } from "@reins/tensor";
import type { Columns } from "../batch.ts";
import { timeLimitOf } from "../env-spec.ts";
import { fail } from "../errors.ts";
import { defaultRng } from "../numpy/index.ts";
import type { LiveValue } from "../signals/live.ts";
import { restore, type Snapshot, save } from "../snapshot.ts";
import { zeroColumn } from "../spaces/layout.ts";
import { defaultSeed, stream } from "../stream.ts";
import type { EntryFormat, EntryRecorder, Slots, StepColumns } from "./record.ts";
import { RowCopy, roomFor } from "./rows.ts";

/** Observations of a goal-conditioned environment: a state, the goal it achieves, and the desired goal. */
export type GoalColumns = { observation: Tree; achieved: Tensor; desired: Tensor };

/** Settings of {@link hindsight}. */
export interface HindsightOptions {
  /** The reward of a step that led to `achieved`, had `desired` been the goal. */
  readonly reward: (achieved: ArrayLike<number>, desired: ArrayLike<number>) => number;
  /** Whether reaching the goal would have ended the episode (default: never). Other terminations hold for every goal. */
  readonly ends?: (achieved: ArrayLike<number>, desired: ArrayLike<number>) => boolean;
  /** Where new goals come from: the state of a random later step, or of the last one. */
  readonly strategy?: "future" | "final";
  /** Relabelled goals per step. More learns more from failures and less from the original goals (2 to 8). */
  readonly relabels?: number;
  /** Maximum length of a fragment in which goals are sampled; longer episodes are split. */
  readonly maxSteps?: number;
  readonly gamma?: number | LiveValue;
  readonly seed?: number;
}

/**
 * One-step transitions, each stored again with an achieved goal as the desired one (Andrychowicz et al., "Hindsight Experience
 * Replay", 2017). Observations are a dict of `observation`, `achieved` and `desired`.
 */
export function hindsight(options: HindsightOptions): EntryFormat {
  return (steps, capacity) => new Hindsight(steps, capacity, options);
}

/** The stored columns of each step. */
type Taken = {
  seen: { observation: GoalColumns; action: Tree; mask?: Tree };
  came: { next: GoalColumns; nextMask?: Tree };
};

class Hindsight implements EntryRecorder {
  readonly columns: Columns;
  private readonly options: HindsightOptions;
  private readonly steps: StepColumns;
  private readonly longest: number;
  /** Steps of the current episode of each row, [rows × longest, …]. */
  private readonly episode: Taken;
  private readonly lengths: Int32Array;
  private readonly random;
  private readonly reward: Tensor;
  private readonly discount: Tensor;
  private readonly keep: RowCopy;
  private readonly original: RowCopy;
  private readonly again: RowCopy;
  private readonly before: GoalColumns;
  private readonly after: GoalColumns;
  private readonly width: number;
  private readonly achieved: Float32Array;
  private readonly goal: Float32Array;

  constructor(steps: StepColumns, capacity: number, options: HindsightOptions) {
    const { observation, action, next, mask, nextMask } = steps;
    const goals = observation as Partial<GoalColumns>;
    if (!goals?.achieved?.shape || !goals.desired?.shape || goals.achieved.size !== goals.desired.size)
      fail(
        "hindsight",
        "observations must be a dict of observation, achieved and desired, the last two of the same shape.",
      );
    this.steps = steps;
    this.options = options;
    this.longest = timeLimitOf(options) ?? 1000;
    const rows = steps.reward.shape[1];
    const taken = {
      seen: { observation, action, ...(mask ? { mask } : {}) },
      came: { next, ...(nextMask ? { nextMask } : {}) },
    } as Taken;
    this.episode = roomFor(taken, rows * this.longest, 2);
    const storage = roomFor(taken, capacity, 2);
    this.reward = zeroColumn("f32", [capacity]);
    this.discount = zeroColumn("f32", [capacity]);
    this.before = storage.seen.observation;
    this.after = storage.came.next;
    this.columns = { ...storage.seen, ...storage.came, reward: this.reward, discount: this.discount };
    this.lengths = new Int32Array(rows);
    this.random = defaultRng(stream(options.seed ?? defaultSeed, "hindsight"));
    this.keep = new RowCopy(taken, this.episode, 2);
    this.original = new RowCopy(taken, storage, 2);
    this.again = new RowCopy(this.episode, storage);
    this.width = goals.achieved.shape.slice(2).reduce((n, d) => n * d, 1);
    this.achieved = new Float32Array(this.width);
    this.goal = new Float32Array(this.width);
  }

  add(slots: Slots): void {
    const { steps, lengths, longest } = this;
    const gamma = this.options.gamma ?? 0.99;
    const discount = typeof gamma === "number" ? gamma : gamma.value;
    const [time, rows] = steps.reward.shape;
    const alive = steps.alive?.data;
    for (let t = 0; t < time; t++)
      for (let row = 0; row < rows; row++) {
        const at = t * rows + row;
        if (alive && !alive[at]) continue;
        const slot = slots.claim();
        this.original.copy(at, slot);
        this.reward.data[slot] = steps.reward.data[at];
        this.discount.data[slot] = steps.terminated.data[at] ? 0 : discount;
        this.keep.copy(at, row * longest + lengths[row]++);
        if (steps.terminated.data[at] || steps.truncated.data[at] || lengths[row] === longest)
          this.relabel(row, discount, slots, steps.terminated.data[at] !== 0);
      }
  }

  /** Stores a fragment again with other goals. Its last step may have terminated, by a fall for example, which holds for every goal. */
  private relabel(row: number, gamma: number, slots: Slots, terminated: boolean): void {
    const { lengths, longest, options, random } = this;
    const { strategy = "future", relabels = 4 } = options;
    const base = row * longest;
    const length = lengths[row];
    lengths[row] = 0;
    for (let t = 0; t < length; t++)
      for (let k = 0; k < relabels; k++) {
        const source = strategy === "final" ? length - 1 : random.integers(t, length);
        const discount = terminated && t === length - 1 ? 0 : gamma;
        this.remember(base + t, base + source, discount, slots.claim());
        if (strategy === "final") break;
      }
  }

  /** Stores step `at` of an episode with the goal that step `source` achieved. */
  private remember(at: number, source: number, discount: number, slot: number): void {
    const { width, achieved, goal, options } = this;
    const reached = this.episode.came.next.achieved.data;
    this.again.copy(at, slot);
    for (let i = 0; i < width; i++) {
      achieved[i] = reached[at * width + i];
      goal[i] = reached[source * width + i];
      this.before.desired.data[slot * width + i] = goal[i];
      this.after.desired.data[slot * width + i] = goal[i];
    }
    this.reward.data[slot] = options.reward(achieved, goal);
    this.discount.data[slot] = options.ends?.(achieved, goal) ? 0 : discount;
  }

  interrupt(): void {
    this.lengths.fill(0);
  }

  private get parts() {
    const { episode, lengths, random } = this;
    return { episode, lengths, random };
  }

  save(): Snapshot {
    return save(this.parts);
  }

  restore(from: Snapshot): void {
    restore(this.parts, from);
  }
}
