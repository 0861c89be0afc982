import { fail, type Saved, type Snapshot } from "@reins/core";
import type { Generator } from "@reins/core/random";

/** How the episode of a row is replayed. */
export interface Player {
  /** Begins the episode of a row, from its generator. */
  begin(row: number): void;
  /** Takes one step of it. */
  act(row: number, action: Float32Array, at: number): void;
}

/** Words of a generator's state. */
const words = 10;

/**
 * Snapshots of worlds whose state cannot be serialised: the engine keeps contacts, impulses and a tree of boxes
 * whose order matters. Equal initial states and actions lead to equal worlds, so the generator's state at the
 * start of each episode and the actions since then are the snapshot, and `restore` replays them.
 */
export class Replays implements Saved {
  private readonly width: number;
  private readonly random: readonly Generator[];
  private readonly player: Player;
  private readonly starts: Uint32Array;
  /** Steps since the start of the episode; -1 before the first one. */
  private readonly steps: Int32Array;
  private readonly actions: Float32Array[];

  /** `width` numbers per action. */
  constructor(width: number, random: readonly Generator[], player: Player) {
    this.width = width;
    this.random = random;
    this.player = player;
    this.starts = new Uint32Array(random.length * words);
    this.steps = new Int32Array(random.length).fill(-1);
    this.actions = random.map(() => new Float32Array(64 * width));
  }

  /** Begins the episode of a row. */
  begin(row: number): void {
    this.random[row].save(this.starts.subarray(row * words, (row + 1) * words));
    this.steps[row] = 0;
    this.player.begin(row);
  }

  /** Takes the step of a row, whose action is in `action` among those of all rows. */
  act(row: number, action: ArrayLike<number>): void {
    const { width } = this;
    const at = this.steps[row]++ * width;
    if (at === this.actions[row].length) this.actions[row] = grown(this.actions[row], 2 * at);
    const kept = this.actions[row];
    for (let i = 0; i < width; i++) kept[at + i] = action[row * width + i];
    this.player.act(row, kept, at);
  }

  save(): Snapshot {
    const { starts, steps, width } = this;
    return {
      starts: starts.slice(),
      steps: steps.slice(),
      actions: this.actions.map((kept, row) => kept.slice(0, Math.max(0, steps[row]) * width)),
    };
  }

  restore(from: Snapshot): void {
    const { starts, steps, actions } = from as {
      readonly starts: Uint32Array;
      readonly steps: Int32Array;
      readonly actions: readonly Float32Array[];
    };
    if (steps?.length !== this.steps.length)
      fail(
        "restore",
        `this environment has ${this.steps.length} rows, but the checkpoint has ${steps?.length}.`,
      );
    for (let row = 0; row < steps.length; row++) {
      this.steps[row] = -1;
      if (steps[row] < 0) continue;
      const now = this.random[row].save();
      this.random[row].restore(starts.subarray(row * words, (row + 1) * words));
      this.begin(row);
      this.actions[row] = grown(actions[row], Math.max(64 * this.width, actions[row].length));
      for (; this.steps[row] < steps[row]; this.steps[row]++)
        this.player.act(row, this.actions[row], this.steps[row] * this.width);
      this.random[row].restore(now);
    }
  }
}

function grown(array: Float32Array, length: number): Float32Array {
  const more = new Float32Array(length);
  more.set(array);
  return more;
}
