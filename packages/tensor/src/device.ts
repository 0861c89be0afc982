/**
 * A device with memory of its own, such as a GPU. Work on it is queued in order: `run` of a program returns before the program has
 * ended, and `download` and `read` get the values after everything queued before. Code on the host's heap (native, WebAssembly) has no
 * device.
 */
export interface Device {
  readonly name: string;
  /** Reserves memory; a named error, with sizes, if there is not enough. */
  allocate(bytes: number): DeviceBlock;
  /** Copies into the start of a block. The caller may change `from` afterwards. */
  upload(to: DeviceBlock, from: Uint8Array): void;
  /** Copies the start of a block, and waits until that is done. Absent where nothing can wait, as in a page. */
  download?(from: DeviceBlock, to: Uint8Array): void;
  /** Resolves to a new array of the first bytes of a block, as they are after the work queued so far. */
  read(from: DeviceBlock, bytes: number): Promise<Uint8Array>;
  /** Waits for all queued work; absent where `download` is. */
  synchronise?(): void;
}

/** Memory on a device: released when the block is garbage-collected, or immediately by `release`. */
export interface DeviceBlock {
  readonly address: number;
  readonly bytes: number;
  /** Increases whenever the contents change. */
  version: number;
  /** A copy of the contents in bf16, for programs that multiply with them, and the version that it was made from. */
  half?: { readonly block: DeviceBlock; version: number };
  release(): void;
}

/** A program compiled for a device. */
export interface DeviceProgram {
  readonly device: Device;
  /** A set of buffers for the program; `point` gives each input and output its memory before the first run. */
  bind(): DeviceBinding;
}

export interface DeviceBinding {
  /** Sets the memory of a buffer, by its number in `Program.buffers`. */
  point(buffer: number, block: DeviceBlock): void;
  /** Queues one run. */
  run(): void;
  dispose(): void;
}
