import type { Saved, Snapshot, VectorEnv, VectorResetOptions } from "@reins/core";
import { rowSeeds } from "@reins/core/forms";
import { defaultRng, type Generator, stream } from "@reins/core/random";
import { restore, save } from "@reins/core/snapshots";

/** Random numbers of a wrapper, one stream per row, separate from those of the environment. */
export class RowStreams implements Saved {
  private readonly streams: Generator[];
  private readonly env: VectorEnv;
  /** Separates the streams of two wrappers with the same seed. */
  private readonly name: string;

  constructor(env: VectorEnv, name: string) {
    this.env = env;
    this.name = name;
    this.streams = Array.from({ length: env.rows }, () => defaultRng());
  }

  /** Reseeds each row with a child of its seed; without a seed the streams continue. */
  seed(seed: VectorResetOptions["seed"]): void {
    if (seed === undefined) return;
    const { spec, rows } = this.env;
    const agents = spec.agents?.names.length ?? 1;
    const each = rowSeeds(seed, rows / agents, spec.id).flatMap((copy) => rowSeeds(copy, agents, spec.id));
    each.forEach((own, row) => (this.streams[row] = defaultRng(stream(own, this.name))));
  }

  /** The stream of a row. */
  of(row: number): Generator {
    return this.streams[row];
  }

  save(): Snapshot {
    return save(this.streams);
  }

  restore(from: Snapshot): void {
    restore(this.streams, from);
  }
}
