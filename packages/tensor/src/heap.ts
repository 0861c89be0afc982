import { environment } from "./environment.ts";
import { HeapBlock } from "./heap-block.ts";
import type { Watch } from "./heap-guard.ts";
import { mostBytes, Region, spaceOf } from "./heap-region.ts";

export { HeapBlock } from "./heap-block.ts";

/** Something that can give memory back and get it again when it is needed. */
export interface Idle {
  /** Whether the heap knows that it can be asked. */
  waiting: boolean;
  relieve(): void;
}

/**
 * Who has to reach a block: WebAssembly, which knows the first region only and so everybody; or native code alone, for which it may lie
 * in any.
 */
export type Reach = "everybody" | "native";

/** Everything that compiled code touches: a first region, which is all there is for WebAssembly, and for native code more of them. */
class Heap {
  /** The first is there from the beginning; the others come when those before them are full. */
  private readonly regions: Region[];
  private readonly limit: number;
  /** Whether there is native code in this process: without it more than the first region is of no use. */
  wide = false;
  private idle = new Set<WeakRef<Idle>>();
  /** With so many of them, those that are gone are forgotten. */
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

  /** Bytes in use at once, and holes between them; for tests of leaks. */
  get top(): number {
    return this.regions.reduce((n, r) => n + r.top, 0);
  }

  /** Reserves zeroed memory in the first region, 64-byte aligned, and returns its offset. */
  allocate(bytes: number): number {
    return this.find(bytes, "everybody").offset;
  }

  /** Gives memory back that `allocate` reserved. */
  release(offset: number, bytes: number): void {
    this.first.release(offset, bytes);
  }

  /** Reserves zeroed memory, 64-byte aligned, that is given back by itself. */
  reserve(bytes: number, reach: Reach = "everybody"): HeapBlock {
    const { region, offset } = this.find(bytes, reach);
    return new HeapBlock(region, offset, bytes);
  }

  /** Whether a block lies where it must. */
  reaches(block: HeapBlock, reach: Reach): boolean {
    return reach === "native" || block.region === this.first;
  }

  /** From now on `one` can be asked for its memory when the heap would have to grow; once. */
  waits(one: Idle): void {
    if (one.waiting) return;
    one.waiting = true;
    if (this.idle.size >= this.most) {
      this.idle = new Set([...this.idle].filter((ref) => ref.deref()));
      this.most = Math.max(1024, 2 * this.idle.size);
    }
    this.idle.add(new WeakRef(one));
  }

  /** In the guarded mode: throws if anything was written beside a block that is in use. */
  check(): void {
    for (const { guard } of this.regions) guard?.check();
  }

  /** In the guarded mode: from now on each region's watch is told what native code may touch. */
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
      // It would be asked for again soon.
      if (!enough) again.region.grow();
      return again;
    }
    const grown = regions.find((r) => r.grow(bytes)) ?? (anywhere ? this.open(bytes) : undefined);
    return (grown && taken([grown], bytes)) ?? this.refuse(bytes, anywhere);
  }

  /** Asks those that wait for memory that they do not need now. True if a quarter of what there is has become free. */
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

  /** One more region with room for so many bytes, if there can be one. */
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
    const full = `The tensor heap is full: ${bytes} bytes were asked for`;
    if (64 + spaceOf(bytes) > this.limit)
      throw new RangeError(
        `${full} in one piece. A tensor, or all that a function computes in between, can take at most ${most}. ` +
          "Use smaller batches, or several tensors and functions.",
      );
    const use = anywhere
      ? `${this.top} are in use, and the system has no more.`
      : `${this.first.top} of at most ${most} are in use. WebAssembly reaches no more; the native back end does.`;
    throw new RangeError(
      `${full}, and ${use} ` +
        "Use smaller batches or networks, and release bound functions with dispose(). In a loop that never waits, arrays that " +
        "were read with `data` stay in use: read with item() or toArray(), or await something now and then.",
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

/** The heap of this process. REINS_REGION, a tool for tests: regions of so many MiB, so that a few tensors fill several. */
export const heap = new Heap(Number(environment("REINS_REGION") ?? 4096) * 2 ** 20);
