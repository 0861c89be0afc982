import {
  defaultRng,
  type Generator,
  restore,
  rowSeeds,
  type Saved,
  type Snapshot,
  save,
  stream,
  type VectorEnv,
  type VectorResetOptions,
} from "@reins/core";

/** Random numbers of a wrapper, one stream for each row, apart from those of the environment. */
export class RowStreams implements Saved {
  private readonly streams: Generator[];
  private readonly env: VectorEnv;
  /** Keeps the streams of two wrappers apart that get the same seed. */
  private readonly name: string;

  constructor(env: VectorEnv, name: string) {
    this.env = env;
    this.name = name;
    this.streams = Array.from({ length: env.rows }, () => defaultRng());
  }

  /** Each row begins anew from a child of its seed; without a seed the streams go on. */
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
