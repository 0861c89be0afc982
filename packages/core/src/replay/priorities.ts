import { real, type Tensor, tensor } from "@reins/tensor";
import { fail } from "../errors.ts";
import { defaultRng } from "../numpy/index.ts";
import type { LiveValue } from "../signals/live.ts";
import { restore, type Saved, type Snapshot } from "../snapshot.ts";
import { defaultSeed, stream } from "../stream.ts";
import type { MakeReplaySampler, ReplaySampler } from "./choose.ts";
import { SumTree } from "./sum-tree.ts";

/** Settings of {@link prioritisedSampler}. */
export interface PriorityOptions {
  /** Exponent of the priorities: 0 is uniform, 1 is proportional to the error (0.4 to 0.7). Read when an error is recorded. */
  readonly alpha?: number | LiveValue;
  /** Importance-sampling correction: 0 is none, 1 is full (0.4 rising to 1). */
  readonly beta?: number | LiveValue;
  /** Added to errors, so that every entry can be sampled. */
  readonly floor?: number;
  readonly seed?: number;
}

/**
 * Samples entries in proportion to their last TD error to the power alpha (Schaul et al., "Prioritized Experience Replay", 2016). New
 * entries have the highest priority so far, so that each is sampled soon. The minibatch is sampled on the host, one entry from each of
 * equal shares of the total priority.
 */
export function prioritisedSampler(options: PriorityOptions = {}): MakeReplaySampler {
  return (capacity, batch) => new Priorities(capacity, batch, options);
}

const read = (x: number | LiveValue) => (typeof x === "number" ? x : x.value);

class Priorities implements ReplaySampler, Saved {
  readonly bytes: number;
  private readonly tree: SumTree;
  private readonly alpha: number | LiveValue;
  private readonly beta: number | LiveValue;
  private readonly floor: number;
  private readonly random;
  private readonly index: Tensor;
  private readonly weight: Tensor;
  private highest = 1;

  constructor(
    capacity: number,
    batch: number,
    { alpha = 0.6, beta = 0.4, floor = 1e-6, seed = defaultSeed }: PriorityOptions,
  ) {
    this.index = tensor(new Int32Array(batch));
    this.weight = tensor(new Float32Array(batch).fill(1));
    this.tree = new SumTree(capacity);
    this.bytes = this.tree.nodes.byteLength;
    this.alpha = alpha;
    this.beta = beta;
    this.floor = floor;
    this.random = defaultRng(stream(seed, "priorities"));
  }

  pick(count: number): { index: Tensor; weight: Tensor } {
    if (this.index.size !== count)
      fail("prioritisedSampler", `samples minibatches of ${this.index.size}, but ${count} were requested.`);
    return { index: this.index, weight: this.weight };
  }

  added(slot: number): void {
    this.tree.set(slot, this.highest);
  }

  prepare(size: number): void {
    const { tree } = this;
    const rows = this.index.data;
    const weights = this.weight.data;
    const beta = read(this.beta);
    const share = tree.total / rows.length;
    let most = 0;
    for (let i = 0; i < rows.length; i++) {
      const row = tree.find((i + this.random.random()) * share);
      rows[i] = row;
      const w = real.pow((size * tree.get(row)) / tree.total, -beta);
      weights[i] = w;
      if (w > most) most = w;
    }
    // Only downwards: the largest weight of the minibatch is 1.
    for (let i = 0; i < rows.length; i++) weights[i] /= most;
  }

  learned(errors: Tensor): void {
    const rows = this.index.data;
    const { data } = errors;
    const alpha = read(this.alpha);
    for (let i = 0; i < rows.length; i++) {
      if (data[i] !== data[i]) continue;
      const priority = real.pow(Math.abs(data[i]) + this.floor, alpha);
      if (priority > this.highest) this.highest = priority;
      this.tree.set(rows[i], priority);
    }
  }

  /** (Σw)² / (n Σw²) of the weights w (Kish, 1965): 1 if all are equal, 1/n if only one is not 0. */
  effective(): number {
    const { data } = this.weight;
    let [sum, squares] = [0, 0];
    for (let i = 0; i < data.length; i++) {
      sum += data[i];
      squares += data[i] * data[i];
    }
    return (sum * sum) / (data.length * squares);
  }

  save(): Snapshot {
    const { tree, highest, random } = this;
    return { priorities: tree.values(tree.capacity).slice(), highest, random: random.save() };
  }

  restore(from: Snapshot): void {
    const s = from as { priorities: Float64Array; highest: number; random: Uint32Array };
    restore(this.tree.values(this.tree.capacity), s.priorities, "priorities");
    this.tree.rebuild();
    this.highest = s.highest;
    this.random.restore(s.random);
  }
}
