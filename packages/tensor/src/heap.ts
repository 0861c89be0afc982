import { aligned, guarded, HeapGuard, strip } from "./heap-guard.ts";

const page = 65536;
const maximumPages = 65536;

/** Reserved memory. It is given back when nobody holds the block any more, or at once by `release`. */
export class HeapBlock {
  readonly offset: number;
  readonly bytes: number;
  /** How many bound functions use it: as long as there is one it stays where it is. */
  pins = 0;
  /** Somebody outside has seen it as an array, or several storages share it: it stays where it is. */
  seen = false;
  private released = false;

  constructor(offset: number, bytes: number) {
    this.offset = offset;
    this.bytes = bytes;
    reclaim.register(this, { offset, bytes }, this);
  }

  release(): void {
    if (this.released) return;
    this.released = true;
    reclaim.unregister(this);
    heap.release(this.offset, this.bytes);
  }
}

const reclaim = new FinalizationRegistry<{ offset: number; bytes: number }>(({ offset, bytes }) =>
  heap.release(offset, bytes),
);

/** Something that can give memory back and get it again when it is needed. */
export interface Idle {
  /** Whether the heap knows that it can be asked. */
  waiting: boolean;
  relieve(): void;
}

function createHeap() {
  const memory = new WebAssembly.Memory({ initial: 16, maximum: maximumPages, shared: true });
  /** Free blocks by offset, and the first byte that was never used. Offset 0 stays unused so that 0 can mean "none". */
  const free: { offset: number; bytes: number }[] = [];
  let top = 64;
  /** The highest `top` so far: bytes above it are still zero. */
  let touched = 64;
  let idle = new Set<WeakRef<Idle>>();
  /** With so many of them, those that are gone are forgotten. */
  let most = 1024;
  const guard = guarded ? new HeapGuard(memory) : undefined;

  /** The offset of a free block of `size` bytes, or -1. */
  function take(size: number): number {
    const at = free.findIndex((b) => b.bytes >= size);
    if (at < 0) return -1;
    const { offset, bytes } = free[at];
    if (bytes === size) free.splice(at, 1);
    else free[at] = { offset: offset + size, bytes: bytes - size };
    new Uint8Array(memory.buffer, offset, size).fill(0);
    return offset;
  }

  /** Makes the memory larger by so many bytes, and by a quarter at least: reservations should not grow it one by one. False if it cannot. */
  function grow(bytes: number): boolean {
    const have = memory.buffer.byteLength / page;
    const wish = Math.max(Math.ceil(bytes / page), Math.min(maximumPages - have, Math.floor(have / 4)));
    try {
      memory.grow(wish);
    } catch {
      return false;
    }
    guard?.grown(have * page, wish * page);
    return true;
  }

  /** Asks those that wait for memory that they do not need now. True if a quarter of what there is has become free. */
  function relieve(): boolean {
    const waiting = idle;
    idle = new Set();
    for (const ref of waiting) {
      const one = ref.deref();
      if (!one) continue;
      one.waiting = false;
      one.relieve();
    }
    const room = memory.buffer.byteLength - top + free.reduce((n, b) => n + b.bytes, 0);
    return room * 4 >= memory.buffer.byteLength;
  }

  function find(size: number, bytes: number): number {
    const found = take(size);
    if (found >= 0) return found;
    if (top + size > memory.buffer.byteLength) {
      const enough = relieve();
      const again = take(size);
      if (again >= 0) {
        // It would be asked for again soon.
        if (!enough) grow(0);
        return again;
      }
      const missing = top + size - memory.buffer.byteLength;
      if (missing > 0 && !grow(missing))
        throw new RangeError(
          `The tensor heap is full: ${bytes} bytes were asked for, and ${top} of at most 4 GiB are in use. ` +
            "Use smaller batches or networks, and release bound functions with dispose(). In a loop that never waits, arrays that " +
            "were read with `data` stay in use: read with item() or toArray(), or await something now and then.",
        );
    }
    const offset = top;
    top = offset + size;
    if (offset < touched) new Uint8Array(memory.buffer, offset, Math.min(top, touched) - offset).fill(0);
    touched = Math.max(touched, top);
    return offset;
  }

  /** Adds a block to the free ones; neighbours are merged. */
  function put(offset: number, size: number): void {
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
    if (last && last.offset + last.bytes === top) {
      top = last.offset;
      free.pop();
    }
  }

  return {
    memory,
    get buffer(): SharedArrayBuffer {
      return memory.buffer as unknown as SharedArrayBuffer;
    },
    /** Bytes ever handed out at once; for tests of leaks. */
    get top(): number {
      return top;
    },
    /** In the guarded mode, what looks after the blocks. */
    guard,
    /** Reserves zeroed memory, 64-byte aligned, and returns its offset. */
    allocate(bytes: number): number {
      const offset = find(aligned(bytes) + 2 * strip, bytes) + strip;
      guard?.taken(offset, bytes);
      return offset;
    },
    /** The same, given back by itself. */
    reserve(bytes: number): HeapBlock {
      return new HeapBlock(this.allocate(bytes), bytes);
    },
    /** Gives memory back that `allocate` reserved. */
    release(offset: number, bytes: number): void {
      guard?.released(offset, bytes);
      put(offset - strip, aligned(bytes) + 2 * strip);
    },
    /** From now on `one` can be asked for its memory when the heap would have to grow; once. */
    waits(one: Idle): void {
      if (one.waiting) return;
      one.waiting = true;
      if (idle.size >= most) {
        idle = new Set([...idle].filter((ref) => ref.deref()));
        most = Math.max(1024, 2 * idle.size);
      }
      idle.add(new WeakRef(one));
    },
  };
}

/**
 * One growable shared memory for everything that compiled code touches. Typed arrays, WebAssembly and native code see the
 * same bytes. Shared, because then views survive growth and the base address stays fixed.
 */
export const heap = createHeap();
