import type { Device, DeviceBlock } from "../../device.ts";
import { lostError, WebGpuError } from "./errors.ts";
import { bufferUsage, mapForReading } from "./flags.ts";
import { Block, RegionMemory } from "./memory.ts";
import { Pipelines } from "./pipelines.ts";

/** A GPU of the browser. Its queue runs everything in order; only `read` waits for it. */
export class Gpu implements Device {
  readonly name = "webgpu";
  readonly device: GPUDevice;
  readonly pipelines: Pipelines;
  private readonly memory: RegionMemory;
  private failure: Error | undefined;

  /** `firstRegion`: bytes of the first buffer, in tests. */
  constructor(device: GPUDevice, firstRegion?: number) {
    this.device = device;
    this.memory = new RegionMemory(device, firstRegion);
    this.pipelines = new Pipelines(device, (error) => this.fail(error));
    device.lost.then(({ reason, message }) => this.fail(lostError(reason, message)));
    device.addEventListener("uncapturederror", ({ error }) => {
      const what = error instanceof GPUOutOfMemoryError ? "has too little memory" : "reported an error";
      this.fail(
        new WebGpuError(
          `The GPU ${what}: ${error.message} ${this.memory.used} bytes are in use. Use smaller batches or networks, or setBackend("wasm").`,
        ),
      );
    });
  }

  /** The first error is the cause of all later ones. */
  private fail(error: Error): void {
    this.failure ??= error;
  }

  /** Throws the error that the device has reported since the last call. */
  check(): void {
    if (this.failure) throw this.failure;
  }

  allocate(bytes: number): Block {
    this.check();
    return this.memory.allocate(bytes);
  }

  upload(to: DeviceBlock, from: Uint8Array): void {
    this.check();
    const { region, offset } = blockOf(to);
    let bytes = from;
    if (from.byteLength % 4) {
      // The rest of the last word belongs to the block.
      bytes = new Uint8Array(Math.ceil(from.byteLength / 4) * 4);
      bytes.set(from);
    }
    if (bytes.byteLength > 0)
      this.device.queue.writeBuffer(region.buffer, offset, bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  async read(from: DeviceBlock, bytes: number): Promise<Uint8Array> {
    this.check();
    const { device } = this;
    const { region, offset } = blockOf(from);
    const size = Math.max(4, Math.ceil(bytes / 4) * 4);
    const staging = device.createBuffer({ size, usage: bufferUsage.mapRead | bufferUsage.copyTarget });
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(region.buffer, offset, staging, 0, size);
    device.queue.submit([encoder.finish()]);
    try {
      await staging.mapAsync(mapForReading);
    } catch (error) {
      // A lost device says so beside the refused mapping.
      await Promise.race([device.lost, new Promise((resolve) => setTimeout(resolve, 100))]);
      this.check();
      throw new WebGpuError(`The GPU's memory cannot be read: ${(error as Error).message}`);
    }
    await this.pipelines.checked;
    this.check();
    const out = new Uint8Array(staging.getMappedRange(0, size).slice(0, bytes));
    staging.destroy();
    return out;
  }
}

function blockOf(block: DeviceBlock): Block {
  if (block instanceof Block) return block;
  throw new Error("internal: a block of another device was given to WebGPU.");
}
