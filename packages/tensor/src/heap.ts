function createHeap() {
  const page = 65536;
  const maximumPages = 65536;
  const memory = new WebAssembly.Memory({ initial: 16, maximum: maximumPages, shared: true });
  /** Free blocks by offset, and the first byte that was never used. Offset 0 stays unused so that 0 can mean "none". */
  const free: { offset: number; bytes: number }[] = [];
  let top = 64;
  /** The highest `top` so far: bytes above it are still zero. */
  let touched = 64;
  const align = (n: number) => Math.max(64, (n + 63) & ~63);

  return {
    memory,
    get buffer(): SharedArrayBuffer {
      return memory.buffer as unknown as SharedArrayBuffer;
    },
    /** Bytes ever handed out at once; for tests of leaks. */
    get top(): number {
      return top;
    },
    /** Reserves zeroed memory, 64-byte aligned, and returns its offset. */
    allocate(bytes: number): number {
      const size = align(bytes);
      for (let i = 0; i < free.length; i++) {
        const block = free[i];
        if (block.bytes < size) continue;
        const offset = block.offset;
        if (block.bytes === size) free.splice(i, 1);
        else free[i] = { offset: offset + size, bytes: block.bytes - size };
        new Uint8Array(memory.buffer, offset, size).fill(0);
        return offset;
      }
      const offset = top;
      const needed = Math.ceil((offset + size) / page) - memory.buffer.byteLength / page;
      if (needed > 0) {
        const have = memory.buffer.byteLength / page;
        // Grow by a quarter at least, so that many small reservations do not grow the memory one by one.
        const wish = Math.min(maximumPages - have, Math.max(needed, have >> 2));
        try {
          memory.grow(wish);
        } catch {
          throw new RangeError(
            `The tensor heap is full: ${bytes} bytes were asked for and ${offset} of at most 4 GiB are in use. ` +
              "Release bound functions with dispose(), or use smaller batches.",
          );
        }
      }
      top = offset + size;
      if (offset < touched) new Uint8Array(memory.buffer, offset, Math.min(top, touched) - offset).fill(0);
      touched = Math.max(touched, top);
      return offset;
    },
    /** Gives a block back; neighbours are merged. */
    release(offset: number, bytes: number): void {
      const size = align(bytes);
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
    },
  };
}

/**
 * One growable shared memory for everything that compiled code touches. Typed arrays, WebAssembly and native code see the
 * same bytes. Shared, because then views survive growth and the base address stays fixed.
 */
export const heap = createHeap();
