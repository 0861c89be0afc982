import { type HeapBlock, heap, type Idle, type Reach } from "../heap.ts";

/** Memory for one run: intermediates, and what threads keep for themselves. Nothing in it outlives the run. */
export interface WorkMemory {
  readonly arena: HeapBlock;
  readonly scratch: HeapBlock;
}

/** What a program needs of it. */
export interface WorkSize {
  readonly arena: number;
  readonly scratch: number;
  readonly reach: Reach;
}

/**
 * The memory that all programs of one function share, whatever their shapes: only one of them runs at a time. It is as large as the
 * largest that is bound, and moves when a larger one comes, so bindings look where it is.
 */
export class Workspace implements Idle {
  waiting = false;
  /** Changes when the memory moves. */
  version = 0;
  private memory: WorkMemory | undefined;
  /** How many bindings use it. */
  private users = 0;

  /** One more binding of a program of this size. */
  attach(size: WorkSize): void {
    this.users++;
    try {
      this.fit(size);
    } catch (error) {
      this.detach();
      throw error;
    }
  }

  detach(): void {
    this.users--;
    if (this.users === 0) heap.waits(this);
  }

  /** Where it is now. */
  get now(): WorkMemory {
    if (!this.memory) throw new Error("There is no memory: nothing is bound.");
    return this.memory;
  }

  private fit({ arena, scratch, reach }: WorkSize): void {
    const old = this.memory;
    const large = (block: HeapBlock, bytes: number) => block.bytes >= bytes && heap.reaches(block, reach);
    if (old && large(old.arena, arena) && large(old.scratch, scratch)) return;
    // What it holds is not needed: given back first, so that both are never there at once.
    this.drop();
    const [a, s] = [old?.arena.bytes ?? 0, old?.scratch.bytes ?? 0];
    try {
      this.take(Math.max(arena, a), Math.max(scratch, s), reach);
    } catch (error) {
      // Programs that are bound already go on with what they had.
      if (old) this.take(a, s, reach);
      throw error;
    }
  }

  private take(arena: number, scratch: number, reach: Reach): void {
    this.version++;
    const first = heap.reserve(arena, reach);
    try {
      this.memory = { arena: first, scratch: heap.reserve(scratch, reach) };
    } catch (error) {
      first.release();
      throw error;
    }
  }

  private drop(): void {
    this.memory?.arena.release();
    this.memory?.scratch.release();
    this.memory = undefined;
  }

  relieve(): void {
    if (this.users === 0) this.drop();
  }
}
