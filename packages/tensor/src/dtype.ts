/** Element types of tensors in memory. Storage differs from compute: `u8` and `bool` are computed as `i32` and masks. */
export type DType = "f32" | "i32" | "u32" | "u8" | "bool";

/** The type of a register inside a kernel. A `bool` is a lane mask, represented as the emitter chooses. */
export type Compute = "f32" | "i32" | "u32" | "bool";

/** The arrays that hold elements of a tensor; `u8` and `bool` share `Uint8Array`. */
export type TypedArray = Float32Array | Int32Array | Uint32Array | Uint8Array;

/** Bytes per element in memory. */
export function byteSize(dtype: DType): number {
  return dtype === "u8" || dtype === "bool" ? 1 : 4;
}

/** The register type in which an element of `dtype` is computed. */
export function computeType(dtype: DType): Compute {
  return dtype === "u8" ? "i32" : dtype;
}

/** A new array, or a view of `buffer`, with elements of `dtype`. */
export function typedArray(dtype: DType, length: number): TypedArray;
export function typedArray(dtype: DType, buffer: ArrayBufferLike, offset: number, length: number): TypedArray;
export function typedArray(dtype: DType, a: number | ArrayBufferLike, offset = 0, length = 0): TypedArray {
  const Kind =
    dtype === "f32"
      ? Float32Array
      : dtype === "i32"
        ? Int32Array
        : dtype === "u32"
          ? Uint32Array
          : Uint8Array;
  return typeof a === "number" ? new Kind(a) : new Kind(a as ArrayBuffer, offset, length);
}
