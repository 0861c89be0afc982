import { environment } from "./environment.ts";

/**
 * REINS_GUARD=1, a tool for tests: memory that is not written yet, or no longer in use, holds a pattern that is NaN as f32, and
 * every block lies between two guard strips that must not change. Also used under the sanitisers, which see every access (`watch`).
 */
export const guarded = environment("REINS_GUARD") === "1" || environment("REINS_SANITIZE") !== undefined;

/** Bytes of a guard strip. */
export const strip = guarded ? 64 : 0;

/** The next multiple of 64. (Bit operations would truncate sizes of 2 GiB and more.) */
export const round64 = (bytes: number): number => Math.ceil(bytes / 64) * 64;

/** Bytes that a block takes with its guard strips. */
export const aligned = (bytes: number): number => Math.max(64, round64(bytes));

/** Marks parts of the heap that native code must not touch. */
export interface Watch {
  poison(offset: number, bytes: number): void;
  unpoison(offset: number, bytes: number): void;
}

const pattern = 0xffc0dead;

/** Guards the blocks of a memory. */
export class HeapGuard {
  private readonly memory: WebAssembly.Memory;
  /** Blocks in use: bytes by offset. */
  private readonly live = new Map<number, number>();
  private watcher: Watch | undefined;

  constructor(memory: WebAssembly.Memory) {
    this.memory = memory;
  }

  private words(offset: number, bytes: number): Uint32Array {
    return new Uint32Array(this.memory.buffer, offset, bytes / 4);
  }

  /** The memory has grown. */
  grown(from: number, bytes: number): void {
    this.watcher?.poison(from, bytes);
  }

  /** A block is in use. */
  taken(offset: number, bytes: number): void {
    this.live.set(offset, bytes);
    this.watcher?.unpoison(offset, bytes);
    this.words(offset - strip, strip).fill(pattern);
    this.words(offset + aligned(bytes), strip).fill(pattern);
  }

  /** A block is not in use any more. */
  released(offset: number, bytes: number): void {
    this.check();
    this.live.delete(offset);
    this.poison(offset, bytes);
    this.watcher?.poison(offset, aligned(bytes));
  }

  /** Marks a block as not yet written. */
  poison(offset: number, bytes: number): void {
    this.words(offset, aligned(bytes)).fill(pattern);
  }

  /** Throws if memory beside a block in use was overwritten. */
  check(): void {
    const touched = (offset: number) => this.words(offset, strip).some((w) => w !== pattern);
    for (const [offset, bytes] of this.live)
      if (touched(offset - strip) || touched(offset + aligned(bytes)))
        throw new Error(
          `internal: memory beside a block of ${bytes} bytes at ${offset} was overwritten (REINS_GUARD).`,
        );
  }

  /** From now on `one` is called with the memory that native code may touch: blocks in use, and nothing else. */
  watch(one: Watch): void {
    this.watcher = one;
    one.poison(0, this.memory.buffer.byteLength);
    for (const [offset, bytes] of this.live) one.unpoison(offset, bytes);
  }
}
