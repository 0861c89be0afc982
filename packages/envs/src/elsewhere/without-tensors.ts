import { isNumberArray, type Snapshot } from "@reins/core";
import { Tensor } from "@reins/tensor";

/** A snapshot that another thread or process can be sent: arrays in the place of tensors, which are restored from either. */
export function withoutTensors(saved: Snapshot): Snapshot {
  if (saved instanceof Tensor) return saved.data.slice();
  if (typeof saved !== "object" || saved === null || isNumberArray(saved)) return saved;
  if (Array.isArray(saved)) return saved.map(withoutTensors);
  return Object.fromEntries(
    Object.entries(saved).map(([name, part]) => [name, withoutTensors(part as Snapshot)]),
  );
}
