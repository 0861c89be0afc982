import { apply } from "../apply.ts";
import { type DType, typedArray } from "../dtype.ts";
import { fail } from "../errors.ts";
import { requireFit } from "../fit.ts";
import { type Shape, show } from "../shape.ts";
import { isTracing, Storage, Tensor } from "../tensor.ts";

/** Accepted where a tensor is expected; a number takes the other operand's type. */
export type TensorLike = Tensor | number | boolean;

/** A scalar of the given type. */
export function scalarOf(value: number, dtype: DType): Tensor {
  // Traced or not, it is the number after conversion to the type.
  const fits = held(value, dtype);
  if (isTracing()) return apply("constant", [], { value: fits }, [], dtype);
  return new Tensor(new Storage(dtype, typedArray(dtype, 1).fill(fits)), []);
}

/** The number after a round trip through an array of the type. */
function held(value: number, dtype: DType): number {
  if (dtype === "f32") return Math.fround(value);
  if (dtype === "bool") return Number(Boolean(value));
  return dtype === "i32" ? value | 0 : dtype === "u32" ? value >>> 0 : value & 255;
}

/** A tensor from an argument; `like` decides the type of plain numbers. */
export function asTensor(x: TensorLike, operation: string, like?: DType): Tensor {
  if (x instanceof Tensor) return x;
  if (typeof x === "number") {
    const dtype = like && like !== "bool" ? like : "f32";
    requireFit(x, dtype, operation);
    return scalarOf(x, dtype);
  }
  if (typeof x === "boolean") return scalarOf(x ? 1 : 0, like ?? "bool");
  fail(operation, `expected a Tensor or a number, but got ${x === null ? "null" : typeof x}.`);
}

/** Normalises an axis; negative ones count from the end. */
export function axisOf(axis: number, rank: number, operation: string): number {
  const a = axis < 0 ? axis + rank : axis;
  if (!Number.isInteger(axis) || a < 0 || a >= rank) {
    fail(
      operation,
      `axis ${axis} does not exist in a tensor with ${rank} ${rank === 1 ? "axis" : "axes"}${rank ? ` (use ${-rank} to ${rank - 1})` : ""}.`,
    );
  }
  return a;
}

/** Sorted axis numbers; all axes by default. */
export function axesOf(
  axes: number | readonly number[] | undefined,
  rank: number,
  operation: string,
): number[] {
  if (axes === undefined) return Array.from({ length: rank }, (_, i) => i);
  const list = (typeof axes === "number" ? [axes] : axes).map((a) => axisOf(a, rank, operation));
  const sorted = [...new Set(list)].sort((a, b) => a - b);
  if (sorted.length !== list.length) fail(operation, `axes ${list.join(", ")} name the same axis twice.`);
  return sorted;
}

export function requireType(t: Tensor, allowed: readonly DType[], operation: string): void {
  requireTensor(t, operation);
  if (!allowed.includes(t.dtype))
    fail(
      operation,
      `works on ${allowed.join(", ")}, but got ${t.dtype}${show(t.shape)}. Convert with cast().`,
    );
}

/** For callers without types: reports a wrong argument before it causes another error. */
export function requireTensor(t: unknown, operation: string): asserts t is Tensor {
  if (!(t instanceof Tensor))
    fail(operation, `expected a Tensor, but got ${t === null ? "null" : typeof t}. Make one with tensor().`);
}

/** Refuses extents that are not non-negative integers. */
export function requireExtent(n: number, what: string, operation: string): void {
  if (!Number.isInteger(n) || n < 0) fail(operation, `${what} is ${n}; use a non-negative integer.`);
}

/** Refuses shapes that are not lists of integers; a traced extent gets a specific message. */
export function requireShape(shape: Shape, operation: string): void {
  shape.forEach((d: unknown, i) => {
    if (d instanceof Tensor)
      fail(
        operation,
        `axis ${i} of the shape is a tensor. Shapes are plain numbers and cannot depend on computed values: use a fixed maximum and a mask.`,
      );
    if (!Number.isInteger(d) || (d as number) < 0)
      fail(operation, `${show(shape)} is not a valid shape: extents must be non-negative integers.`);
  });
}
