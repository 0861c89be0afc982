import type { Region } from "./heap-region.ts";

/** Reserved memory. It is released when the block is no longer referenced, or immediately by `release`. */
export class HeapBlock {
  readonly region: Region;
  /** Its offset in its region. */
  readonly offset: number;
  readonly bytes: number;
  /** Number of bound functions that use it: while there are any, it does not move. */
  pins = 0;
  /** Whether an array view of it was handed out or several storages share it: then it does not move. */
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
