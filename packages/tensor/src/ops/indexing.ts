import { apply } from "../apply.ts";
import { fail } from "../errors.ts";
import { type Shape, show } from "../shape.ts";
import type { Tensor } from "../tensor.ts";
import { add, cast, eq, ge, le, sub } from "./arithmetic.ts";
import { asTensor, axisOf, requireExtent, requireType, type TensorLike } from "./check.ts";
import { broadcastTo, expandDims, iota, reshape, slice } from "./movement.ts";

/**
 * Gathers along one axis: `y[…, i, …] = x[…, indices[…, i, …], …]`. `indices` (i32) has the rank of `x`; its other axes must be
 * equal or 1. Out-of-range indices are clamped, and reported in checking mode.
 */
export function gather(x: Tensor, indices: Tensor, axis: number): Tensor {
  requireType(indices, ["i32"], "gather");
  const a = axisOf(axis, x.rank, "gather");
  const shape = x.shape.map((d, i) => (i === a ? (indices.shape[a] ?? 0) : d));
  if (indices.rank !== x.rank || indices.shape.some((d, i) => i !== a && d !== 1 && d !== x.shape[i])) {
    fail(
      "gather",
      `indices ${show(indices.shape)} do not match ${show(x.shape)} along axis ${a}: the other axes must be equal or 1.`,
    );
  }
  requireElements("gather", x, a, indices);
  return apply("gather", [x, broadcastTo(indices, shape)], { axis: a }, shape, x.dtype);
}

function requireElements(operation: string, x: Tensor, axis: number, indices: Tensor): void {
  const others = x.shape.every((d, i) => i === axis || d > 0);
  if (x.shape[axis] === 0 && others && indices.size > 0)
    fail(operation, `axis ${axis} of ${show(x.shape)} is empty, so no index is valid.`);
}

/** Slices by index: the axis is replaced by the axes of `indices` (i32). `take(table, ids)` is an embedding lookup. */
export function take(x: Tensor, indices: Tensor, axis = 0): Tensor {
  requireType(indices, ["i32"], "take");
  const a = axisOf(axis, x.rank, "take");
  requireElements("take", x, a, indices);
  const flat = reshape(
    indices,
    x.shape.map((_, i) => (i === a ? indices.size : 1)),
  );
  return reshape(gather(x, flat, a), [...x.shape.slice(0, a), ...indices.shape, ...x.shape.slice(a + 1)]);
}

/** Zeros with `source` added at `indices` along an axis whose extent becomes `size`; the transpose of {@link gather}. */
export function scatterAdd(indices: Tensor, source: Tensor, axis: number, size: number): Tensor {
  requireType(indices, ["i32"], "scatterAdd");
  requireType(source, ["f32", "i32", "u32"], "scatterAdd");
  const a = axisOf(axis, source.rank, "scatterAdd");
  requireExtent(size, "the size", "scatterAdd");
  fitIndices("scatterAdd", indices, source);
  const shape = source.shape.map((d, i) => (i === a ? size : d));
  requireRoom("scatterAdd", shape, a, source);
  return apply(
    "scatterAdd",
    [broadcastTo(indices, source.shape), source],
    { axis: a, size },
    shape,
    source.dtype,
  );
}

/** A copy of `x` with `source` written at `indices` along an axis; the last of equal indices wins. In place if `x` is not needed again. */
export function scatter(x: Tensor, indices: Tensor, source: Tensor, axis: number): Tensor {
  requireType(indices, ["i32"], "scatter");
  const a = axisOf(axis, x.rank, "scatter");
  if (
    source.dtype !== x.dtype ||
    source.rank !== x.rank ||
    source.shape.some((d, i) => i !== a && d !== x.shape[i])
  ) {
    fail(
      "scatter",
      `a source ${source.dtype}${show(source.shape)} cannot be written into ${x.dtype}${show(x.shape)} along axis ${a}.`,
    );
  }
  fitIndices("scatter", indices, source);
  requireRoom("scatter", x.shape, a, source);
  return apply("scatter", [x, broadcastTo(indices, source.shape), source], { axis: a }, x.shape, x.dtype);
}

function fitIndices(operation: string, indices: Tensor, source: Tensor): void {
  const missing = source.rank - indices.rank;
  if (missing < 0 || indices.shape.some((d, i) => d !== 1 && d !== source.shape[i + missing])) {
    fail(
      operation,
      `indices ${show(indices.shape)} cannot be broadcast to the source ${show(source.shape)}: axes must be equal or 1, counted from the right.`,
    );
  }
}

/** An index into an empty axis cannot be clamped. */
function requireRoom(operation: string, shape: Shape, axis: number, source: Tensor): void {
  if (shape[axis] === 0 && source.size > 0)
    fail(
      operation,
      `axis ${axis} of ${show(shape)} is empty, so ${show(source.shape)} cannot be written into it.`,
    );
}

/** Sums of the rows that share a segment number (i32, one per row of `x`). */
export function segmentSum(x: Tensor, segments: Tensor, count: number): Tensor {
  if (segments.rank !== 1 || segments.shape[0] !== x.shape[0])
    fail(
      "segmentSum",
      `needs one segment number per row of ${show(x.shape)}, but got ${show(segments.shape)}.`,
    );
  return scatterAdd(reshape(segments, [segments.size, ...x.shape.slice(1).map(() => 1)]), x, 0, count);
}

/** 1 at the index and 0 elsewhere, along a new last axis. */
export function oneHot(indices: Tensor, count: number, dtype: Tensor["dtype"] = "f32"): Tensor {
  requireType(indices, ["i32"], "oneHot");
  requireExtent(count, "the count", "oneHot");
  return cast(eq(expandDims(indices, -1), iota([count])), dtype);
}

/** `size` elements from a run-time `start` (i32 scalar) along an axis; the start is clamped so that they exist. */
export function dynamicSlice(x: Tensor, start: TensorLike, size: number, axis = 0): Tensor {
  const a = axisOf(axis, x.rank, "dynamicSlice");
  const s = asTensor(start, "dynamicSlice", "i32");
  requireType(s, ["i32"], "dynamicSlice");
  if (s.size !== 1) fail("dynamicSlice", `the start must be a scalar, but got ${show(s.shape)}.`);
  requireExtent(size, "the size", "dynamicSlice");
  if (size > x.shape[a]) fail("dynamicSlice", `${size} elements do not fit axis ${a} of ${show(x.shape)}.`);
  return apply(
    "dynamicSlice",
    [x, reshape(s, [])],
    { axis: a, size },
    x.shape.map((d, i) => (i === a ? size : d)),
    x.dtype,
  );
}

/** `x` with `update` written from a run-time `start` on along an axis. In place if `x` is not needed again (caches). */
export function dynamicUpdate(x: Tensor, update: Tensor, start: TensorLike, axis = 0): Tensor {
  const a = axisOf(axis, x.rank, "dynamicUpdate");
  const s = asTensor(start, "dynamicUpdate", "i32");
  requireType(s, ["i32"], "dynamicUpdate");
  if (s.size !== 1) fail("dynamicUpdate", `the start must be a scalar, but got ${show(s.shape)}.`);
  const fits =
    update.rank === x.rank && update.shape.every((d, i) => (i === a ? d <= x.shape[i] : d === x.shape[i]));
  if (!fits || update.dtype !== x.dtype)
    fail(
      "dynamicUpdate",
      `an update ${update.dtype}${show(update.shape)} cannot be written into ${x.dtype}${show(x.shape)} along axis ${a}.`,
    );
  return apply("dynamicUpdate", [x, update, reshape(s, [])], { axis: a }, x.shape, x.dtype);
}

/** The indices (i32) that sort an axis; stable. */
export function argsort(x: Tensor, axis = -1, descending = false): Tensor {
  requireType(x, ["f32", "i32", "u32"], "argsort");
  return apply("argsort", [x], { axis: axisOf(axis, x.rank, "argsort"), descending }, x.shape, "i32");
}

/** The elements sorted along an axis. */
export function sort(x: Tensor, axis = -1, descending = false): Tensor {
  return gather(x, argsort(x, axis, descending), axis);
}

/** The `k` largest elements along an axis in descending order, and their indices. */
export function topK(x: Tensor, k: number, axis = -1): { values: Tensor; indices: Tensor } {
  const a = axisOf(axis, x.rank, "topK");
  requireExtent(k, "k", "topK");
  if (k > x.shape[a])
    fail("topK", `k is ${k}, but axis ${a} of ${show(x.shape)} has ${x.shape[a]} elements.`);
  const indices = slice(
    argsort(x, a, true),
    x.shape.map((_, i) => (i === a ? [0, k] : null)) as [number, number][],
  );
  return { values: gather(x, indices, a), indices };
}

/** True on and below the diagonal (shifted right by `diagonal`) of a rows × columns matrix. */
export function lowerMask(rows: number, columns = rows, diagonal = 0): Tensor {
  return le(iota([rows, columns], 1), add(iota([rows, columns], 0), diagonal));
}

/** True on and above the diagonal. */
export function upperMask(rows: number, columns = rows, diagonal = 0): Tensor {
  return ge(iota([rows, columns], 1), add(iota([rows, columns], 0), diagonal));
}

/** True where a position along the last axis is before its row's length: `[…]` lengths (i32) give `[…, maximum]`. */
export function lengthMask(lengths: Tensor, maximum: number): Tensor {
  requireType(lengths, ["i32"], "lengthMask");
  return ge(sub(expandDims(lengths, -1), 1), iota([maximum]));
}
