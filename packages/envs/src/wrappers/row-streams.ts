import { defaultRng, type Generator, restore, type Saved, type Snapshot, save } from "@reins/core";

/** Random numbers of a wrapper, one stream for each row, apart from those of the environment. */
export class RowStreams implements Saved {
  private readonly streams: Generator[];
  /** Keeps the streams of two wrappers apart that get the same seed. */
  private readonly tag: number;

  constructor(rows: number, name: string) {
    this.tag = [...name].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0, 7);
    this.streams = Array.from({ length: rows }, () => defaultRng());
  }

  /** Row i begins anew from seed + i; without a seed the streams go on. */
  seed(seed: number | undefined): void {
    if (seed === undefined) return;
    for (let row = 0; row < this.streams.length; row++)
      this.streams[row] = defaultRng([seed + row, this.tag]);
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
