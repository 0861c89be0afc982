import type { TypedArray } from "@reins/tensor";
import type { ElementType } from "./proto.ts";

/** An array whose bytes are written unchanged. */
export type Bytes = Pick<TypedArray | BigInt64Array, "buffer" | "byteOffset" | "byteLength">;

/** Numbers as a typed array. */
export function arrayOf(type: ElementType, values: readonly number[]): Bytes {
  switch (type) {
    case "f32":
      return Float32Array.from(values);
    case "i32":
      return Int32Array.from(values);
    case "u32":
      return Uint32Array.from(values);
    case "i64":
      return BigInt64Array.from(values, BigInt);
    default:
      return Uint8Array.from(values);
  }
}
