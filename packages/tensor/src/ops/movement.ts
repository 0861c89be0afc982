import { apply } from "../apply.ts";
import { fail } from "../errors.ts";
import { type Shape, sameShape, show, sizeOf } from "../shape.ts";
import type { Tensor } from "../tensor.ts";
import {
  asTensor,
  axisOf,
  requireExtent,
  requireShape,
  requireTensor,
  scalarOf,
  type TensorLike,
} from "./check.ts";

/** The same elements in another shape; one extent may be -1 and is inferred. */
export function reshape(x: Tensor, shape: Shape): Tensor {
  requireTensor(x, "reshape");
  const target = [...shape];
  const unknown = target.indexOf(-1);
  if (unknown >= 0) {
    const rest = target.reduce((n, d, i) => (i === unknown ? n : n * d), 1);
    target[unknown] = rest === 0 ? 0 : x.size / rest;
  }
  if (target.some((d) => !Number.isInteger(d) || d < 0) || sizeOf(target) !== x.size) {
    fail("reshape", `${show(x.shape)} has ${x.size} elements and cannot become ${show(shape)}.`);
  }
  return sameShape(target, x.shape) ? x : apply("reshape", [x], { shape: target }, target, x.dtype);
}

/** Repeats axes of extent 1, and adds leading axes, until the shape is `shape`. */
export function broadcastTo(x: Tensor, shape: Shape): Tensor {
  requireTensor(x, "broadcastTo");
  if (sameShape(x.shape, shape)) return x;
  requireShape(shape, "broadcastTo");
  const pad = shape.length - x.rank;
  if (pad < 0 || x.shape.some((d, i) => d !== 1 && d !== shape[i + pad])) {
    fail(
      "broadcastTo",
      `${show(x.shape)} cannot be broadcast to ${show(shape)}: axes must be equal or 1, counted from the right.`,
    );
  }
  // Every number combined with a tensor passes here, so compatible shapes are not checked again.
  const padded = pad > 0 ? [...new Array<number>(pad).fill(1), ...x.shape] : x.shape;
  const wide = pad > 0 ? apply("reshape", [x], { shape: padded }, padded, x.dtype) : x;
  if (sameShape(padded, shape)) return wide;
  const target = [...shape];
  return apply("broadcast", [wide], { shape: target }, target, x.dtype);
}

/** Axes in a new order. */
export function permute(x: Tensor, axes: readonly number[]): Tensor {
  requireTensor(x, "permute");
  const order = axes.map((a) => axisOf(a, x.rank, "permute"));
  if (order.length !== x.rank || new Set(order).size !== x.rank) {
    fail("permute", `axes ${axes.join(", ")} must name each of the ${x.rank} axes of ${show(x.shape)} once.`);
  }
  if (order.every((a, i) => a === i)) return x;
  return apply(
    "permute",
    [x],
    { axes: order },
    order.map((a) => x.shape[a]),
    x.dtype,
  );
}

/** Swaps two axes, the last two by default. */
export function transpose(x: Tensor, a = -2, b = -1): Tensor {
  const order = x.shape.map((_, i) => i);
  const [p, q] = [axisOf(a, x.rank, "transpose"), axisOf(b, x.rank, "transpose")];
  [order[p], order[q]] = [q, p];
  return permute(x, order);
}

/** A part along one axis: from `start` up to `end`, every `step`-th element; a negative step runs backwards. */
export interface Range {
  start?: number;
  end?: number;
  step?: number;
}

/** Slices by ranges, one per axis from the first (`[1, 3]` is start and end; null keeps a whole axis). */
export function slice(x: Tensor, ranges: readonly (Range | readonly [number, number] | null)[]): Tensor {
  requireTensor(x, "slice");
  if (ranges.length > x.rank)
    fail("slice", `${ranges.length} ranges were given for ${show(x.shape)}, which has ${x.rank} axes.`);
  const begin: number[] = [];
  const size: number[] = [];
  const step: number[] = [];
  x.shape.forEach((d, i) => {
    const given = ranges[i] ?? {};
    const r: Range = Array.isArray(given) ? { start: given[0], end: given[1] } : (given as Range);
    const s = r.step ?? 1;
    if (!Number.isInteger(s) || s === 0) fail("slice", `step ${s} on axis ${i} is not a non-zero integer.`);
    for (const [name, bound] of [["start", r.start] as const, ["end", r.end] as const])
      if (bound !== undefined && !Number.isInteger(bound) && Math.abs(bound) !== Number.POSITIVE_INFINITY)
        fail("slice", `${name} ${bound} on axis ${i} is not an integer.`);
    const clamp = (v: number, low: number, high: number) => Math.min(high, Math.max(low, v < 0 ? v + d : v));
    const from =
      r.start === undefined ? (s > 0 ? 0 : d - 1) : clamp(r.start, s > 0 ? 0 : -1, s > 0 ? d : d - 1);
    const to = r.end === undefined ? (s > 0 ? d : -1) : clamp(r.end, s > 0 ? 0 : -1, s > 0 ? d : d - 1);
    const count = Math.max(0, Math.ceil((to - from) / s));
    // A reversed empty axis would begin at -1.
    begin.push(count && from);
    step.push(s);
    size.push(count);
  });
  return strided(x, begin, size, step);
}

/** @internal Exact slice: `size[i]` elements from `begin[i]` in steps of `step[i]`. */
export function strided(
  x: Tensor,
  begin: readonly number[],
  size: readonly number[],
  step: readonly number[],
): Tensor {
  if (sameShape(size, x.shape) && step.every((s) => s === 1)) return x;
  return apply("slice", [x], { begin, size, step }, size, x.dtype);
}

/** Reverses an axis. */
export function flip(x: Tensor, axis: number): Tensor {
  const a = axisOf(axis, x.rank, "flip");
  return slice(
    x,
    x.shape.map((_, i) => (i === a ? { step: -1 } : null)),
  );
}

/** Adds `widths[i] = [before, after]` elements of `value` around each axis. */
export function pad(x: Tensor, widths: readonly (readonly [number, number])[], value = 0): Tensor {
  if (widths.length !== x.rank)
    fail(
      "pad",
      `${widths.length} pairs of widths were given for ${show(x.shape)}, which has ${x.rank} axes.`,
    );
  if (widths.flat().some((w) => !Number.isInteger(w) || w < 0))
    fail("pad", `widths must be non-negative integers, but got ${JSON.stringify(widths)}.`);
  if (widths.every(([a, b]) => a === 0 && b === 0)) return x;
  const low = widths.map(([a]) => a);
  const shape = x.shape.map((d, i) => d + widths[i][0] + widths[i][1]);
  return apply("pad", [x], { low, value }, shape, x.dtype);
}

/** Concatenates tensors along an existing axis. */
export function concat(parts: readonly Tensor[], axis = 0): Tensor {
  const first = parts[0] ?? fail("concat", "the list of tensors is empty. Pass at least one.");
  const a = axisOf(axis, first.rank, "concat");
  for (const p of parts) {
    if (p.dtype !== first.dtype)
      fail("concat", `all parts must have one type, but got ${first.dtype} and ${p.dtype}.`);
    if (p.rank !== first.rank || p.shape.some((d, i) => i !== a && d !== first.shape[i])) {
      fail("concat", `${show(first.shape)} and ${show(p.shape)} differ in another axis than ${a}.`);
    }
  }
  if (parts.length === 1) return first;
  const shape = first.shape.map((d, i) => (i === a ? parts.reduce((n, p) => n + p.shape[a], 0) : d));
  return apply("concat", [...parts], { axis: a }, shape, first.dtype);
}

/** Stacks tensors of one shape along a new axis. */
export function stack(parts: readonly Tensor[], axis = 0): Tensor {
  const first = parts[0] ?? fail("stack", "the list of tensors is empty. Pass at least one.");
  const a = axisOf(axis, first.rank + 1, "stack");
  for (const p of parts)
    if (!sameShape(p.shape, first.shape))
      fail("stack", `shapes ${show(first.shape)} and ${show(p.shape)} differ.`);
  return concat(
    parts.map((p) => expandDims(p, a)),
    a,
  );
}

/** Splits a tensor into parts of the given extents along an axis. */
export function split(x: Tensor, sizes: readonly number[], axis = 0): Tensor[] {
  const a = axisOf(axis, x.rank, "split");
  if (!Array.isArray(sizes))
    fail(
      "split",
      `expected a list of sizes such as [2, 3], but got ${sizes === null ? "null" : typeof sizes}.`,
    );
  for (const n of sizes) requireExtent(n, "the size of a part", "split");
  const total = sizes.reduce((n, d) => n + d, 0);
  if (total !== x.shape[a])
    fail("split", `parts of ${sizes.join(" + ")} = ${total} do not add up to axis ${a} of ${show(x.shape)}.`);
  let start = 0;
  return sizes.map((n) => {
    const part = slice(x, x.shape.map((_, i) => (i === a ? [start, start + n] : null)) as [number, number][]);
    start += n;
    return part;
  });
}

/** Inserts an axis of extent 1. */
export function expandDims(x: Tensor, axis: number): Tensor {
  const a = axisOf(axis, x.rank + 1, "expandDims");
  return reshape(x, [...x.shape.slice(0, a), 1, ...x.shape.slice(a)]);
}

/** Removes axes of extent 1 (by default all of them). */
export function squeeze(x: Tensor, axis?: number): Tensor {
  if (axis === undefined)
    return reshape(
      x,
      x.shape.filter((d) => d !== 1),
    );
  const a = axisOf(axis, x.rank, "squeeze");
  if (x.shape[a] !== 1) fail("squeeze", `axis ${a} of ${show(x.shape)} has extent ${x.shape[a]}, not 1.`);
  return reshape(
    x,
    x.shape.filter((_, i) => i !== a),
  );
}

/**
 * Sliding windows along an axis: `[…, d, …]` becomes `[…, count, size, …]`. A view, without a copy; convolution and pooling
 * are built on it.
 */
export function windows(x: Tensor, axis: number, size: number, stride = 1, dilation = 1): Tensor {
  const a = axisOf(axis, x.rank, "windows");
  for (const [name, n] of Object.entries({ size, stride, dilation }))
    if (!Number.isSafeInteger(n) || n < 1)
      fail(
        "windows",
        `the ${name} is ${typeof n === "number" ? n : JSON.stringify(n)}; use an integer of at least 1.`,
      );
  const count = Math.floor((x.shape[a] - (size - 1) * dilation - 1) / stride) + 1;
  if (count < 1)
    fail(
      "windows",
      `a window of ${size} (dilation ${dilation}) is longer than axis ${a} of ${show(x.shape)}.`,
    );
  const shape = [...x.shape.slice(0, a), count, size, ...x.shape.slice(a + 1)];
  return apply("windows", [x], { axis: a, size, stride, dilation }, shape, x.dtype);
}

/** @internal The transpose of {@link windows}: overlapping parts are added. `length` is the axis' extent. */
export function overlapAdd(
  x: Tensor,
  axis: number,
  length: number,
  stride: number,
  dilation: number,
): Tensor {
  const shape = [...x.shape.slice(0, axis), length, ...x.shape.slice(axis + 2)];
  return apply("overlapAdd", [x], { axis, length, stride, dilation }, shape, x.dtype);
}

/** Numbers 0, 1, 2 … along `axis` of a tensor of the given shape (i32). */
export function iota(shape: Shape, axis = 0): Tensor {
  requireShape(shape, "iota");
  return apply("iota", [], { axis: axisOf(axis, shape.length, "iota") }, [...shape], "i32");
}

/** A tensor of one repeated value. */
export function full(shape: Shape, value: TensorLike, dtype: Tensor["dtype"] = "f32"): Tensor {
  requireShape(shape, "full");
  return broadcastTo(
    typeof value === "number" ? scalarOf(value, dtype) : asTensor(value, "full", dtype),
    shape,
  );
}
