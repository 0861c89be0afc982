import { type DType, type Tensor, tensor } from "@reins/tensor";
import { fail } from "../errors.ts";
import type { Entry, FileType } from "./format.ts";

/** The tensor of an entry's bytes. 16-bit floats become f32; 64-bit integers become i32 if they fit. */
export function decode(entry: Entry, bytes: Uint8Array, source: string): Tensor {
  // A separate copy: aligned, and the file's buffer can be released. (A Node Buffer's slice() would not copy.)
  const own = new Uint8Array(bytes);
  const { shape, name } = entry;
  const count = shape.reduce((n, d) => n * d, 1);
  switch (entry.dtype) {
    case "F32":
      return tensor(new Float32Array(own.buffer, 0, count), { shape });
    case "I32":
      return tensor(new Int32Array(own.buffer, 0, count), { shape });
    case "U32":
      return tensor(new Uint32Array(own.buffer, 0, count), { shape });
    case "U8":
      return tensor(own, { shape });
    case "BOOL":
      return tensor(own, { shape, dtype: "bool" });
    case "BF16": {
      const half = new Uint16Array(own.buffer, 0, count);
      const wide = new Uint32Array(count);
      for (let i = 0; i < count; i++) wide[i] = half[i] << 16;
      return tensor(new Float32Array(wide.buffer), { shape });
    }
    case "F16":
      return tensor(Float32Array.from(new Uint16Array(own.buffer, 0, count), halfToNumber), { shape });
    case "I64": {
      const long = new BigInt64Array(own.buffer, 0, count);
      const out = new Int32Array(count);
      for (let i = 0; i < count; i++) {
        const v = Number(long[i]);
        if (v < -(2 ** 31) || v >= 2 ** 31)
          fail(
            source,
            `tensor "${name}" has the 64-bit number ${long[i]} at index ${i}, which is outside the range of i32.`,
          );
        out[i] = v;
      }
      return tensor(out, { shape });
    }
  }
}

/** Decodes a half-precision float: 1 sign, 5 exponent and 10 fraction bits. */
export function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** The file type of a tensor. */
export const fileTypes: Readonly<Record<DType, FileType>> = {
  f32: "F32",
  i32: "I32",
  u32: "U32",
  u8: "U8",
  bool: "BOOL",
};

/** A tensor's bytes, little-endian as on every machine that runs JavaScript. */
export function encode(t: Tensor): Uint8Array {
  const { data } = t;
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
