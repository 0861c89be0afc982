import { environment } from "./environment.ts";
import { HeapBlock } from "./heap-block.ts";
import type { Watch } from "./heap-guard.ts";
import { mostBytes, Region, spaceOf } from "./heap-region.ts";

export { HeapBlock } from "./heap-block.ts";

/** An owner of memory that it can release and reserve again on demand. */
export interface Idle {
  /** Whether it is registered with the heap. */
  waiting: boolean;
  relieve(): void;
}

/**
 * Which code must reach a block: WebAssembly, which can address only the first region, or native code, which can address
 * all regions.
 */
export type Reach = "everybody" | "native";

/** All memory that compiled code touches: a first region, the only one for WebAssembly, and further regions for native code. */
class Heap {
  /** The first exists from the beginning; the others are added when the existing ones are full. */
  private readonly regions: Region[];
  private readonly limit: number;
  /** Whether this process runs native code: without it, only the first region can be used. */
  wide = false;
  private idle = new Set<WeakRef<Idle>>();
  /** Number of registered owners at which collected ones are removed. */
  private most = 1024;
  private watchOf: ((region: Region) => Watch) | undefined;

  constructor(limit: number) {
    this.limit = limit;
    this.regions = [new Region(2 ** 20, limit)];
  }

  private get first(): Region {
    return this.regions[0];
  }

  /** The memory of the first region. */
  get memory(): WebAssembly.Memory {
    return this.first.memory;
  }

  get buffer(): ArrayBufferLike {
    return this.first.buffer;
  }

  /** Bytes in use, and holes between them; for leak tests. */
  get top(): number {
    return this.regions.reduce((n, r) => n + r.top, 0);
  }

  /** The highest `top` so far. */
  get peak(): number {
    return this.regions.reduce((n, r) => n + r.peak, 0);
  }

  /** Reserves zeroed memory in the first region, 64-byte aligned, and returns its offset. */
  allocate(bytes: number): number {
    return this.find(bytes, "everybody").offset;
  }

  /** Releases memory that `allocate` reserved. */
  release(offset: number, bytes: number): void {
    this.first.release(offset, bytes);
  }

  /** Reserves zeroed memory, 64-byte aligned, that is released when it is no longer referenced. */
  reserve(bytes: number, reach: Reach = "everybody"): HeapBlock {
    const { region, offset } = this.find(bytes, reach);
    return new HeapBlock(region, offset, bytes);
  }

  /** Whether a block lies in a region that its code can reach. */
  reaches(block: HeapBlock, reach: Reach): boolean {
    return reach === "native" || block.region === this.first;
  }

  /** Registers `one`: it is asked once for its memory when the heap would have to grow. */
  waits(one: Idle): void {
    if (one.waiting) return;
    one.waiting = true;
    if (this.idle.size >= this.most) {
      this.idle = new Set([...this.idle].filter((ref) => ref.deref()));
      this.most = Math.max(1024, 2 * this.idle.size);
    }
    this.idle.add(new WeakRef(one));
  }

  /** In guarded mode: throws if memory beside a block in use was overwritten. */
  check(): void {
    for (const { guard } of this.regions) guard?.check();
  }

  /** In guarded mode: reports to each region's watch which memory native code may touch. */
  watch(watchOf: (region: Region) => Watch): void {
    this.watchOf = watchOf;
    for (const region of this.regions) region.guard?.watch(watchOf(region));
  }

  private find(bytes: number, reach: Reach): { region: Region; offset: number } {
    const anywhere = this.wide && reach === "native";
    const regions = anywhere ? this.regions : [this.first];
    const found = taken(regions, bytes);
    if (found) return found;
    const enough = this.relieve();
    const again = taken(regions, bytes);
    if (again) {
      // It would soon be requested again.
      if (!enough) again.region.grow();
      return again;
    }
    const grown = regions.find((r) => r.grow(bytes)) ?? (anywhere ? this.open(bytes) : undefined);
    return (grown && taken([grown], bytes)) ?? this.refuse(bytes, anywhere);
  }

  /** Reclaims memory from registered owners that do not need it now. True if a quarter of the heap has become free. */
  private relieve(): boolean {
    const waiting = this.idle;
    this.idle = new Set();
    for (const ref of waiting) {
      const one = ref.deref();
      if (!one) continue;
      one.waiting = false;
      one.relieve();
    }
    const sum = (of: (r: Region) => number) => this.regions.reduce((n, r) => n + of(r), 0);
    return sum((r) => r.room) * 4 >= sum((r) => r.bytes);
  }

  /** Adds a region with room for `bytes` bytes, if possible. */
  private open(bytes: number): Region | undefined {
    const least = 64 + spaceOf(bytes);
    if (least > this.limit) return undefined;
    try {
      const region = new Region(least, this.limit);
      if (this.watchOf) region.guard?.watch(this.watchOf(region));
      this.regions.push(region);
      return region;
    } catch {
      return undefined;
    }
  }

  private refuse(bytes: number, anywhere: boolean): never {
    const most = this.limit === mostBytes ? "4 GiB" : `${this.limit} bytes`;
    const full = `The tensor heap is full: ${bytes} bytes were requested`;
    if (64 + spaceOf(bytes) > this.limit)
      throw new RangeError(
        `${full} in one piece. A tensor, or all intermediate results of a function, can take at most ${most}. ` +
          "Use smaller batches, or several tensors and functions.",
      );
    const use = anywhere
      ? `${this.top} are in use, and the system has no more.`
      : `${this.first.top} of at most ${most} are in use. WebAssembly cannot address more; the native back end can.`;
    throw new RangeError(
      `${full}, and ${use} ` +
        "Use smaller batches or networks, and release bound functions with dispose(). In a synchronous loop, arrays that " +
        "were read with `data` stay in use: read with item() or toArray(), or await regularly so that they can be collected.",
    );
  }
}

/** Takes memory from the first region that has it without growing. */
function taken(regions: readonly Region[], bytes: number): { region: Region; offset: number } | undefined {
  for (const region of regions) {
    const offset = region.take(bytes);
    if (offset >= 0) return { region, offset };
  }
  return undefined;
}

/** The heap of this process. REINS_REGION, a tool for tests, is the size of a region in MiB, so that a few tensors fill several. */
export const heap = new Heap(Number(environment("REINS_REGION") ?? 4096) * 2 ** 20);
