import { guarded, round64 } from "../heap-guard.ts";

/** A block of the arena: its size, and the steps from the first to the last use. */
export interface Block {
  readonly bytes: number;
  first: number;
  last: number;
  offset: number;
  /** Number of open loops when it was made. */
  readonly depth: number;
}

/**
 * Gives every block an offset such that blocks in use at the same time do not overlap. Returns the arena's size. In guarded
 * mode no two blocks overlap, so that unwritten memory never holds the contents of another block.
 */
export function allocate(blocks: readonly Block[]): number {
  let size = 0;
  const placed: Block[] = [];
  // Large blocks first: they are the hardest to fit.
  for (const b of [...blocks].sort((x, y) => y.bytes - x.bytes || x.first - y.first)) {
    const rivals = placed
      .filter((p) => guarded || (p.first <= b.last && b.first <= p.last))
      .sort((x, y) => x.offset - y.offset);
    let offset = 0;
    for (const r of rivals) {
      if (offset + round64(b.bytes) <= r.offset) break;
      offset = Math.max(offset, r.offset + round64(r.bytes));
    }
    b.offset = offset;
    placed.push(b);
    size = Math.max(size, offset + round64(b.bytes));
  }
  return size;
}
