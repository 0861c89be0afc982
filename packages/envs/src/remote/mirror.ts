import type { DType, Tensor, Tree, TypedArray } from "@reins/tensor";
import type { ChoiceRange } from "./choice-ranges.ts";

/** A column here and its numbers in memory that another process or thread writes. */
export interface Mirrored {
  readonly tensor: Tensor;
  readonly numbers: TypedArray;
  /** Numbers per row. */
  readonly width: number;
  /** Ranges of the elements of a row, if they are choices. */
  readonly ranges?: readonly ChoiceRange[];
}

/** A typed array over some bytes, of a column's type. */
export function arrayOver(
  dtype: DType,
  memory: ArrayBufferLike,
  at: number,
  count: number,
): Float32Array | Int32Array | Uint8Array {
  if (dtype === "f32") return new Float32Array(memory, at, count);
  if (dtype === "i32") return new Int32Array(memory, at, count);
  return new Uint8Array(memory, at, count);
}

/** Bytes per number of a column. */
export const bytesEach = (dtype: DType): number => (dtype === "f32" || dtype === "i32" ? 4 : 1);

/** The tensor of a tree at the end of a path. */
export function partAt(tree: Tree, path: readonly (string | number)[]): Tensor {
  let part = tree;
  for (const name of path) part = (part as { readonly [name: string]: Tree })[name];
  return part as Tensor;
}

/** Copies all numbers of an array; for short arrays a loop is faster than `set`. */
export function copyNumbers(from: TypedArray, to: TypedArray): void {
  const n = from.length;
  if (n <= 64) for (let i = 0; i < n; i++) to[i] = from[i];
  else to.set(from);
}
