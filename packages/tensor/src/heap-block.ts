import type { Region } from "./heap-region.ts";

/** Reserved memory. It is given back when nobody holds the block any more, or at once by `release`. */
export class HeapBlock {
  readonly region: Region;
  /** Where it begins in its region. */
  readonly offset: number;
  readonly bytes: number;
  /** How many bound functions use it: as long as there is one it stays where it is. */
  pins = 0;
  /** Somebody outside has seen it as an array, or several storages share it: it stays where it is. */
  seen = false;
  private released = false;

  constructor(region: Region, offset: number, bytes: number) {
    this.region = region;
    this.offset = offset;
    this.bytes = bytes;
    reclaim.register(this, { region, offset, bytes }, this);
  }

  release(): void {
    if (this.released) return;
    this.released = true;
    reclaim.unregister(this);
    this.region.release(this.offset, this.bytes);
  }
}

const reclaim = new FinalizationRegistry<{ region: Region; offset: number; bytes: number }>(
  ({ region, offset, bytes }) => region.release(offset, bytes),
);
