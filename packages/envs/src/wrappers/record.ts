import type { Snapshot, VectorEnv, VectorResetOptions } from "@reins/core";
import { checkKeys } from "@reins/core/errors";
import { save } from "@reins/core/snapshots";
import type { Tree } from "@reins/tensor";
import { Tape } from "./tape.ts";
import { Wrapper } from "./wrapper.ts";

/** A recorded episode. */
export type RecordedEpisodes = {
  /** Columns of the observation space, [length + 1, …]: the last is the final observation. */
  readonly observations: Tree;
  /** Columns of the action space, [length, …]. */
  readonly actions: Tree;
  readonly rewards: Float32Array;
  /** Whether the episode terminated; otherwise it was truncated. */
  readonly terminated: boolean;
};

/** Recording options. */
export interface RecordEpisodesOptions {
  /** The recorded row. */
  readonly row?: number;
  /** Maximum number of stored episodes; the oldest are dropped first. */
  readonly keep?: number;
}

/**
 * Records the episodes of one row: observations, actions and rewards. Of an agent that waits in between, only the steps in which it acts
 * are recorded, each with the rewards up to the next one.
 */
export function record(env: VectorEnv, options: RecordEpisodesOptions = {}): RecordWrapper {
  checkKeys("record", options, ["row", "keep"]);
  return new RecordWrapper(env, options);
}

/** An environment that records the episodes of one row. */
export class RecordWrapper extends Wrapper {
  /** The completed episodes, the oldest first. */
  readonly episodes: RecordedEpisodes[] = [];
  private readonly row: number;
  private readonly keep: number;
  private readonly tape: Tape;
  /** Whether the row is in an episode, and whether it acts in the coming step. */
  private inside = true;
  private acts = true;

  constructor(inner: VectorEnv, { row = 0, keep = 100 }: RecordEpisodesOptions) {
    super(inner);
    this.row = row;
    this.keep = keep;
    this.tape = new Tape(inner.spec);
  }

  protected override begun(_: VectorResetOptions): void {
    this.begin();
  }

  protected override after(action: Tree): void {
    const { row, tape, reward } = this;
    const width = reward.size / this.rows;
    if (!this.inside) return this.begin();
    if (this.acts) tape.act(action, row, reward.data, row * width, width);
    else if (tape.steps) tape.earn(reward.data, row * width, width);
    const terminated = this.terminated.data[row] !== 0;
    if (!terminated && !this.truncated.data[row]) return this.look();
    if (tape.steps) {
      tape.end(this.final, row);
      this.episodes.push({ ...tape.cut(), terminated });
    }
    if (this.episodes.length > this.keep) this.episodes.shift();
    this.begin();
  }

  /** Begins the recording of an episode, unless the agent is absent. */
  private begin(): void {
    const { row, begins } = this;
    this.inside = begins?.data[row] !== 0;
    this.acts = this.alive?.data[row] !== 0;
    if (this.inside) this.tape.begin(this.observation, row);
  }

  /** Records the observation that the agent acts on next. */
  private look(): void {
    const { row, tape } = this;
    this.acts = this.alive?.data[row] !== 0;
    if (!this.acts) return;
    if (tape.steps) tape.see(this.observation, row);
    else tape.begin(this.observation, row);
  }

  override save(): Snapshot {
    const { inside, acts } = this;
    return { inner: this.inner.save(), tape: this.tape.save(), episodes: save(this.episodes), inside, acts };
  }

  override restore(from: Snapshot): void {
    const saved = from as {
      inner: Snapshot;
      tape: Snapshot;
      episodes: Snapshot[];
      inside: boolean;
      acts: boolean;
    };
    this.inner.restore(saved.inner);
    this.tape.restore(saved.tape);
    this.inside = saved.inside;
    this.acts = saved.acts;
    this.episodes.length = 0;
    for (const episode of save(saved.episodes) as RecordedEpisodes[]) this.episodes.push(episode);
  }
}
