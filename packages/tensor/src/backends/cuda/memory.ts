import type { DeviceBlock } from "../../device.ts";
import type { Driver } from "./driver.ts";
import { CudaError } from "./errors.ts";

/** Memory of the GPU: released blocks are kept for requests of the same size, because reserving waits for the GPU. */
export class DeviceMemory {
  private readonly driver: Driver;
  private readonly free = new Map<number, number[]>();
  /** Bytes in use, and bytes kept for later. */
  used = 0;
  kept = 0;
  private readonly reclaim = new FinalizationRegistry<{ address: number; size: number }>(
    ({ address, size }) => this.put(address, size),
  );

  constructor(driver: Driver) {
    this.driver = driver;
  }

  allocate(bytes: number): DeviceBlock {
    const size = sizeOf(bytes);
    const address = this.free.get(size)?.pop();
    if (address !== undefined) this.kept -= size;
    const block = new Block(address ?? this.reserve(size), bytes, (a) => {
      this.reclaim.unregister(block);
      this.put(a, size);
    });
    this.used += size;
    this.reclaim.register(block, { address: block.address, size }, block);
    return block;
  }

  private reserve(size: number): number {
    let address = this.driver.allocate(size);
    if (address === undefined) {
      this.empty();
      address = this.driver.allocate(size);
    }
    if (address !== undefined) return address;
    const { free, total } = this.driver.memory();
    throw new CudaError(
      `The GPU has too little memory: ${size} bytes were requested, ${this.used} are in use by this process, and ${free} of ${total} are free. ` +
        "Use smaller batches or networks, release bound functions with dispose(), or use REINS_BACKEND=native.",
    );
  }

  private put(address: number, size: number): void {
    this.used -= size;
    this.kept += size;
    const list = this.free.get(size);
    if (list) list.push(address);
    else this.free.set(size, [address]);
  }

  /** Returns the kept blocks to the driver. */
  private empty(): void {
    this.driver.synchronise();
    for (const list of this.free.values()) for (const address of list) this.driver.free(address);
    this.free.clear();
    this.kept = 0;
  }
}

class Block implements DeviceBlock {
  readonly address: number;
  readonly bytes: number;
  version = 0;
  half?: { readonly block: DeviceBlock; version: number };
  private readonly give: (address: number) => void;
  private released = false;

  constructor(address: number, bytes: number, give: (address: number) => void) {
    this.address = address;
    this.bytes = bytes;
    this.give = give;
  }

  release(): void {
    if (this.released) return;
    this.released = true;
    this.half?.block.release();
    this.give(this.address);
  }
}

/** Few sizes, so that released blocks fit later requests: powers of two up to 1 MiB, then multiples of 2 MiB. */
function sizeOf(bytes: number): number {
  const large = 2 ** 20;
  if (bytes > large) return Math.ceil(bytes / (2 * large)) * 2 * large;
  return Math.max(512, 2 ** Math.ceil(Math.log2(Math.max(1, bytes))));
}
