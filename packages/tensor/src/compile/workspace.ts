import { type HeapBlock, heap, type Idle, type Reach } from "../heap.ts";

/** Memory for one run: intermediates and per-thread scratch. Nothing in it outlives the run. */
export interface WorkMemory {
  readonly arena: HeapBlock;
  readonly scratch: HeapBlock;
}

/** The sizes that a program needs. */
export interface WorkSize {
  readonly arena: number;
  readonly scratch: number;
  readonly reach: Reach;
}

/**
 * The memory that all programs of one function share, whatever their shapes: only one of them runs at a time. It is as large as the
 * largest bound program needs, and moves when a larger one is bound, so bindings look up its address.
 */
export class Workspace implements Idle {
  waiting = false;
  /** Incremented when the memory moves. */
  version = 0;
  private memory: WorkMemory | undefined;
  /** Number of bindings that use it. */
  private users = 0;

  /** Adds a binding of a program of this size. */
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

  /** Its current address. */
  get now(): WorkMemory {
    if (!this.memory) throw new Error("internal: the workspace has no memory because nothing is bound.");
    return this.memory;
  }

  private fit({ arena, scratch, reach }: WorkSize): void {
    const old = this.memory;
    const large = (block: HeapBlock, bytes: number) => block.bytes >= bytes && heap.reaches(block, reach);
    if (old && large(old.arena, arena) && large(old.scratch, scratch)) return;
    // Its contents are not needed: released first, so that both never exist at once.
    this.drop();
    const [a, s] = [old?.arena.bytes ?? 0, old?.scratch.bytes ?? 0];
    try {
      this.take(Math.max(arena, a), Math.max(scratch, s), reach);
    } catch (error) {
      // Programs that are bound already keep the previous memory.
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
