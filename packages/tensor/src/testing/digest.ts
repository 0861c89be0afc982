import { createHash } from "node:crypto";
import type { Tensor } from "../tensor.ts";
import { bitsOf } from "./compare.ts";

/** A short hash of the bits of tensors, shapes and types included. */
export function digestOf(tensors: readonly Tensor[]): string {
  const hash = createHash("sha256");
  for (const t of tensors) {
    hash.update(`${t.dtype}[${t.shape}]`);
    const bits = bitsOf(t);
    hash.update(Uint8Array.from({ length: 4 * bits.length }, (_, i) => bits[i >> 2] >>> (8 * (i & 3))));
  }
  return hash.digest("hex").slice(0, 16);
}
