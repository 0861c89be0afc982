import type { DeviceBlock } from "../../device.ts";
import { WebGpuError } from "./errors.ts";
import { bufferUsage } from "./flags.ts";

/** A buffer of the GPU with many blocks. A dispatch binds regions, not blocks, because it may bind only a few buffers. */
export interface Region {
  readonly number: number;
  readonly buffer: GPUBuffer;
  readonly bytes: number;
  /** Free pieces by offset. */
  readonly free: Piece[];
}

interface Piece {
  offset: number;
  bytes: number;
}

/** Bytes of the first region; each further one is twice as large. */
const firstRegion = 2 ** 26;
/** Every block starts at a multiple, so that copies and writes are aligned. */
const granule = 256;

type MemoryDevice = Pick<GPUDevice, "limits" | "createBuffer">;

/** Memory of the GPU in regions. */
export class RegionMemory {
  private readonly device: MemoryDevice;
  private readonly regions: Region[] = [];
  private readonly mostBytes: number;
  private readonly mostRegions: number;
  private readonly smallest: number;
  used = 0;
  private readonly reclaim = new FinalizationRegistry<Held>((held) => this.put(held));

  /** `smallest` is the size of the first region. */
  constructor(device: MemoryDevice, smallest = firstRegion) {
    this.smallest = smallest;
    const { maxBufferSize, maxStorageBufferBindingSize, maxStorageBuffersPerShaderStage } = device.limits;
    this.device = device;
    this.mostBytes =
      Math.floor(Math.min(maxBufferSize, maxStorageBufferBindingSize, 2 ** 32 - granule) / granule) * granule;
    // One binding is the table of addresses.
    this.mostRegions = maxStorageBuffersPerShaderStage - 1;
  }

  allocate(bytes: number): Block {
    const size = Math.max(granule, Math.ceil(bytes / granule) * granule);
    let found: Held | undefined;
    for (const region of this.regions) if ((found = take(region, size))) break;
    found ??= take(this.grow(size, bytes), size)!;
    this.used += size;
    const held = found;
    const block = new Block(held.region, held.offset, bytes, () => {
      this.reclaim.unregister(block);
      this.put(held);
    });
    this.reclaim.register(block, held, block);
    return block;
  }

  private grow(size: number, asked: number): Region {
    const { device, regions, mostBytes, mostRegions } = this;
    if (size > mostBytes || regions.length >= mostRegions)
      throw new WebGpuError(
        `The GPU has too little memory: ${asked} bytes were requested, ${this.used} are in use, and a buffer may have ${mostBytes} bytes. ` +
          'Use smaller batches or networks, release bound functions with dispose(), or use setBackend("wasm").',
      );
    const bytes = Math.min(mostBytes, Math.max(size, this.smallest * 2 ** regions.length));
    const buffer = device.createBuffer({
      label: `reins region ${regions.length}`,
      size: bytes,
      usage: bufferUsage.storage | bufferUsage.copySource | bufferUsage.copyTarget,
    });
    const region = { number: regions.length, buffer, bytes, free: [{ offset: 0, bytes }] };
    regions.push(region);
    return region;
  }

  private put({ region, offset, bytes }: Held): void {
    this.used -= bytes;
    const { free } = region;
    let at = free.findIndex((p) => p.offset > offset);
    if (at < 0) at = free.length;
    free.splice(at, 0, { offset, bytes });
    if (free[at + 1]?.offset === offset + bytes) free[at].bytes += free.splice(at + 1, 1)[0].bytes;
    const before = free[at - 1];
    if (before && before.offset + before.bytes === offset) before.bytes += free.splice(at, 1)[0].bytes;
  }
}

interface Held extends Piece {
  readonly region: Region;
}

function take(region: Region, bytes: number): Held | undefined {
  const { free } = region;
  const at = free.findIndex((p) => p.bytes >= bytes);
  if (at < 0) return undefined;
  const piece = free[at];
  const { offset } = piece;
  piece.offset += bytes;
  piece.bytes -= bytes;
  if (piece.bytes === 0) free.splice(at, 1);
  return { region, offset, bytes };
}

/** A part of a region. */
export class Block implements DeviceBlock {
  version = 0;
  readonly region: Region;
  readonly offset: number;
  readonly bytes: number;
  private readonly give: () => void;
  private released = false;

  constructor(region: Region, offset: number, bytes: number, give: () => void) {
    this.region = region;
    this.offset = offset;
    this.bytes = bytes;
    this.give = give;
  }

  /** Unlike those of other devices, an address here only tells blocks apart. */
  get address(): number {
    return this.region.number * 2 ** 32 + this.offset;
  }

  release(): void {
    if (this.released) return;
    this.released = true;
    this.give();
  }
}
