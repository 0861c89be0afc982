import { heap } from "./heap.ts";

/** Bytes of a device's memory. */
export interface DeviceMemoryUse {
  readonly name: string;
  /** In use by tensors and programs, and kept for later ones. */
  readonly used: number;
  readonly kept: number;
  /** Free for all processes, and in all. */
  readonly free: number;
  readonly total: number;
}

/** Memory of compiled functions: the heap of the host, and the devices that programs have used. */
export interface MemoryUse {
  readonly heap: { readonly used: number; readonly peak: number };
  readonly devices: readonly DeviceMemoryUse[];
}

const devices = new Set<() => DeviceMemoryUse>();

/** Includes a device's memory in {@link memoryUse} from now on. */
export const countDevice = (use: () => DeviceMemoryUse): void => void devices.add(use);

/** @experimental */
export const memoryUse = (): MemoryUse => ({
  heap: { used: heap.top, peak: heap.peak },
  devices: [...devices].map((use) => use()),
});
