import { DeviceCopy } from "./device-copy.ts";
import type { Tensor } from "./tensor.ts";
import { leaves, type Tree } from "./tree.ts";

/**
 * Brings the values of tensors to the host, so that `item()`, `data` and `toArray()` can read them. Undefined if there is nothing to wait
 * for, as on every back end but WebGPU.
 */
export function download(tree: Tree): Promise<void> | undefined {
  if (DeviceCopy.count === 0) return undefined;
  const late = leaves(tree).filter((t: Tensor) => t.storage?.isLate);
  if (late.length === 0) return undefined;
  return Promise.all(late.map((t) => t.read())).then(() => {});
}
