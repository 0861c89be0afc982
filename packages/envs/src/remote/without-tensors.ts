import type { Snapshot } from "@reins/core";
import { isNumberArray } from "@reins/core/snapshots";
import { Tensor } from "@reins/tensor";

/** A snapshot that can be sent to another thread or process: arrays instead of tensors; both can be restored. */
export function withoutTensors(saved: Snapshot): Snapshot {
  if (saved instanceof Tensor) return saved.data.slice();
  if (typeof saved !== "object" || saved === null || isNumberArray(saved)) return saved;
  if (Array.isArray(saved)) return saved.map(withoutTensors);
  return Object.fromEntries(
    Object.entries(saved).map(([name, part]) => [name, withoutTensors(part as Snapshot)]),
  );
}
