import type { EnvSpec, Saved, Snapshot } from "@reins/core";
import { save } from "@reins/core/snapshots";
import { columns } from "@reins/core/spaces";
import { leaves, type Tensor, type Tree, type TypedArray, tensor, treeMap } from "@reins/tensor";
import { leafFinder } from "./wrapper.ts";

/** Grows by doubling, so that a step allocates next to nothing. */
interface Strip {
  data: TypedArray;
  length: number;
}

/** The episode being recorded. */
export class Tape implements Saved {
  private readonly observationShape: Tree;
  private readonly actionShape: Tree;
  private readonly widths: readonly number[];
  private readonly actionWidths: readonly number[];
  private readonly components: number;
  private readonly seen: (observation: Tree) => readonly Tensor[];
  private readonly last: (observation: Tree) => readonly Tensor[];
  private readonly done: (action: Tree) => readonly Tensor[];
  private observations: Strip[];
  private actions: Strip[];
  private rewards: Strip;

  constructor(spec: EnvSpec) {
    this.observationShape = columns(spec.observation, 1);
    this.actionShape = columns(spec.action, 1);
    this.seen = leafFinder(this.observationShape, "the observation");
    this.last = leafFinder(this.observationShape, "the final observation");
    this.done = leafFinder(this.actionShape, "the action");
    this.widths = leaves(this.observationShape).map((t) => t.size);
    this.actionWidths = leaves(this.actionShape).map((t) => t.size);
    this.components = spec.rewards?.length ?? 1;
    this.observations = leaves(this.observationShape).map(stripFor);
    this.actions = leaves(this.actionShape).map(stripFor);
    this.rewards = { data: new Float32Array(16), length: 0 };
  }

  /** Clears the recording for a new episode. */
  begin(observation: Tree, row: number): void {
    for (const strip of [...this.observations, ...this.actions, this.rewards]) strip.length = 0;
    this.see(observation, row);
  }

  /** Actions so far. */
  get steps(): number {
    return this.rewards.length / this.components;
  }

  /** Appends a row of observations. */
  see(observation: Tree, row: number): void {
    appendRow(this.observations, this.widths, this.seen(observation), row);
  }

  /** Appends the final observation. */
  end(final: Tree, row: number): void {
    appendRow(this.observations, this.widths, this.last(final), row);
  }

  /** Appends an action and the `width` rewards from `at` on. */
  act(action: Tree, row: number, reward: TypedArray, at: number, width: number): void {
    appendRow(this.actions, this.actionWidths, this.done(action), row);
    append(this.rewards, reward, at, width);
  }

  /** Adds `width` rewards from `at` on to those of the last action. */
  earn(reward: TypedArray, at: number, width: number): void {
    const { data, length } = this.rewards;
    for (let i = 0; i < width; i++) data[length - width + i] += reward[at + i];
  }

  /** A copy of the episode. */
  cut(): { observations: Tree; actions: Tree; rewards: Float32Array } {
    const { steps } = this;
    return {
      observations: cutColumns(this.observations, this.observationShape, steps + 1),
      actions: cutColumns(this.actions, this.actionShape, steps),
      rewards: this.rewards.data.slice(0, this.rewards.length) as Float32Array,
    };
  }

  save(): Snapshot {
    const used = ({ data, length }: Strip) => data.slice(0, length);
    const { observations, actions, rewards } = this;
    return save({ observations: observations.map(used), actions: actions.map(used), rewards: used(rewards) });
  }

  restore(from: Snapshot): void {
    const saved = from as {
      observations: TypedArray[];
      actions: TypedArray[];
      rewards: TypedArray;
    };
    const strip = (data: TypedArray) => ({ data: data.slice(), length: data.length });
    this.observations = saved.observations.map(strip);
    this.actions = saved.actions.map(strip);
    this.rewards = strip(saved.rewards);
  }
}

function stripFor(column: Tensor): Strip {
  const Kind = column.data.constructor as new (n: number) => TypedArray;
  return { data: new Kind(16 * column.size), length: 0 };
}

function append(strip: Strip, from: TypedArray, at: number, width: number): void {
  if (strip.length + width > strip.data.length) {
    const Kind = strip.data.constructor as new (n: number) => TypedArray;
    const larger = new Kind(2 * (strip.length + width));
    larger.set(strip.data);
    strip.data = larger;
  }
  for (let i = 0; i < width; i++) strip.data[strip.length++] = from[at + i];
}

function appendRow(
  strips: readonly Strip[],
  widths: readonly number[],
  from: readonly Tensor[],
  row: number,
): void {
  for (let i = 0; i < strips.length; i++) append(strips[i], from[i].data, row * widths[i], widths[i]);
}

function cutColumns(strips: readonly Strip[], shape: Tree, rows: number): Tree {
  let i = 0;
  return treeMap((t: Tensor) => {
    const { data, length } = strips[i++];
    return tensor(data.slice(0, length), { shape: [rows, ...t.shape.slice(1)], dtype: t.dtype });
  }, shape);
}
