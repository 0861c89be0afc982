import type { Device, DeviceBlock } from "./device.ts";
import type { TypedArray } from "./dtype.ts";
import { fail } from "./errors.ts";

/**
 * The elements of a storage on a device, and which side has the current values. Arrays of the elements that callers keep (`tensor.data`)
 * may be written at any time, so as long as there is one the elements are uploaded before every program that reads them and downloaded
 * after every program that writes them. Where reading is asynchronous, such an array keeps its old values until `pull` has resolved.
 */
export class DeviceCopy {
  /** Number of copies made so far: while there are none, reading needs no test. */
  static count = 0;
  readonly device: Device;
  readonly block: DeviceBlock;
  private newest: "host" | "device" | "both" = "host";
  /** Number of changes on either side. */
  private version = 0;
  /** Arrays that callers may have, by the storage that made them. */
  private readonly views = new Map<object, WeakRef<TypedArray>>();
  /** Whether callers had arrays before the copy was made. */
  private readonly seen: boolean;

  constructor(device: Device, bytes: number, seen: boolean) {
    this.device = device;
    this.block = device.allocate(bytes);
    this.seen = seen;
    DeviceCopy.count++;
  }

  /** Brings the host's values up to date. */
  fetch(host: Uint8Array): void {
    if (this.newest !== "device") return;
    if (!this.device.download)
      fail(
        "read",
        "the GPU has the values. Write `await tensor.read()`; then item(), toArray() and data work.",
      );
    this.device.download(this.block, host);
    this.newest = "both";
  }

  /** Whether only the device has the current values, and reads asynchronously. */
  get isLate(): boolean {
    return this.newest === "device" && !this.device.download;
  }

  /** Resolves to the device's values. They are the host's too, unless either side has changed meanwhile. */
  async pull(host: () => Uint8Array): Promise<Uint8Array> {
    const { version } = this;
    const bytes = await this.device.read(this.block, host().byteLength);
    if (version === this.version) {
      host().set(bytes);
      this.newest = "both";
    }
    return bytes;
  }

  hostWrote(): void {
    this.newest = "host";
    this.version++;
  }

  /** The block with current values. */
  current(host: Uint8Array): DeviceBlock {
    if (this.newest === "host" || (this.newest === "both" && this.exposed)) {
      this.device.upload(this.block, host);
      this.block.version++;
      this.newest = "both";
    }
    return this.block;
  }

  deviceWrote(host: Uint8Array): void {
    this.newest = "device";
    this.block.version++;
    this.version++;
    if (this.device.download && this.exposed) this.fetch(host);
  }

  /** Moves the values to the host and releases the memory. */
  leave(host: Uint8Array): void {
    this.fetch(host);
    this.block.release();
  }

  /** The array of `owner` that callers may keep. */
  shown(owner: object, make: () => TypedArray): TypedArray {
    const known = this.views.get(owner)?.deref();
    if (known) return known;
    const view = make();
    this.views.set(owner, new WeakRef(view));
    return view;
  }

  private get exposed(): boolean {
    if (this.seen) return true;
    for (const [owner, ref] of this.views) {
      if (ref.deref()) return true;
      this.views.delete(owner);
    }
    return false;
  }
}
