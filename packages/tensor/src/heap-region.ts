import { aligned, guarded, HeapGuard, strip } from "./heap-guard.ts";

const page = 65536;

/** Maximum bytes of a region: the range of a 32-bit address. */
export const mostBytes = 65536 * page;

/**
 * A growable shared memory and its free list. Shared, because then views survive growth and the base address stays
 * fixed; typed arrays, WebAssembly and native code see the same bytes.
 */
export class Region {
  readonly memory: WebAssembly.Memory;
  /** The guard of the blocks, in guarded mode. */
  readonly guard: HeapGuard | undefined;
  /** Maximum bytes. */
  readonly limit: number;
  /** Free pieces by offset. Offset 0 stays unused so that 0 can mean "none". */
  private readonly free: { offset: number; bytes: number }[] = [];
  /** The first byte above all blocks in use. */
  top = 64;
  /** The highest `top` so far: bytes above it are still zero. */
  private touched = 64;

  constructor(initial: number, limit: number) {
    const maximum = Math.floor(limit / page);
    this.limit = maximum * page;
    this.memory = new WebAssembly.Memory({ initial: Math.ceil(initial / page), maximum, shared: true });
    this.guard = guarded ? new HeapGuard(this.memory) : undefined;
  }

  get buffer(): ArrayBufferLike {
    return this.memory.buffer;
  }

  /** Current size in bytes. */
  get bytes(): number {
    return this.memory.buffer.byteLength;
  }

  /** The highest `top` so far. */
  get peak(): number {
    return Math.max(this.touched, this.top);
  }

  /** Bytes that are free without growing. */
  get room(): number {
    return this.bytes - this.top + this.free.reduce((n, b) => n + b.bytes, 0);
  }

  /** Reserves zeroed memory, 64-byte aligned, and returns its offset; -1 if it would have to grow. */
  take(bytes: number): number {
    const size = spaceOf(bytes);
    const found = this.takeFree(size);
    const begin = found >= 0 ? found : this.takeTop(size);
    if (begin < 0) return -1;
    const offset = begin + strip;
    this.guard?.taken(offset, bytes);
    return offset;
  }

  private takeFree(size: number): number {
    const { free } = this;
    const at = free.findIndex((b) => b.bytes >= size);
    if (at < 0) return -1;
    const { offset, bytes } = free[at];
    if (bytes === size) free.splice(at, 1);
    else free[at] = { offset: offset + size, bytes: bytes - size };
    new Uint8Array(this.buffer, offset, size).fill(0);
    return offset;
  }

  private takeTop(size: number): number {
    const offset = this.top;
    if (offset + size > this.bytes) return -1;
    this.top = offset + size;
    if (offset < this.touched)
      new Uint8Array(this.buffer, offset, Math.min(this.top, this.touched) - offset).fill(0);
    this.touched = Math.max(this.touched, this.top);
    return offset;
  }

  /** Grows until `bytes` bytes can be taken, and by at least a quarter, so that reservations do not grow it one by one. False if it cannot. */
  grow(bytes = 0): boolean {
    const have = this.bytes;
    const missing = bytes > 0 ? Math.max(0, this.top + spaceOf(bytes) - have) : 0;
    const pages = Math.max(
      Math.ceil(missing / page),
      Math.floor(Math.min(this.limit - have, have / 4) / page),
    );
    try {
      this.memory.grow(pages);
    } catch {
      return false;
    }
    this.guard?.grown(have, pages * page);
    return true;
  }

  /** Releases memory that `take` reserved; free neighbours are merged. */
  release(offset: number, bytes: number): void {
    this.guard?.released(offset, bytes);
    this.put(offset - strip, spaceOf(bytes));
  }

  private put(offset: number, size: number): void {
    const { free } = this;
    let at = free.findIndex((b) => b.offset > offset);
    if (at < 0) at = free.length;
    free.splice(at, 0, { offset, bytes: size });
    for (const i of [at, at - 1]) {
      const a = free[i];
      const b = free[i + 1];
      if (a && b && a.offset + a.bytes === b.offset)
        free.splice(i, 2, { offset: a.offset, bytes: a.bytes + b.bytes });
    }
    const last = free[free.length - 1];
    if (last && last.offset + last.bytes === this.top) {
      this.top = last.offset;
      free.pop();
    }
  }
}

/** Bytes that a block takes, guard strips included. */
export const spaceOf = (bytes: number): number => aligned(bytes) + 2 * strip;
