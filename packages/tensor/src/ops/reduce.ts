import { apply } from "../apply.ts";
import { fail } from "../errors.ts";
import type { Reductions } from "../primitives.ts";
import { show } from "../shape.ts";
import type { Tensor } from "../tensor.ts";
import { customGradient } from "../transform/custom.ts";
import { add, div, eq, mul, sqrt, square, sub, where } from "./arithmetic.ts";
import { axesOf, axisOf, requireType } from "./check.ts";
import { full, reshape } from "./movement.ts";

/** The axes to reduce (default: all), and whether to keep them with extent 1. */
export interface ReduceOptions {
  axis?: number | readonly number[];
  keepDims?: boolean;
}

/** Accepts `sum(x, 1)` besides `sum(x, { axis: 1, keepDims: true })`. */
export type Axes = number | readonly number[] | ReduceOptions;

function options(a: Axes | undefined): ReduceOptions {
  return a === undefined
    ? {}
    : typeof a === "number" || Array.isArray(a)
      ? { axis: a as number }
      : (a as ReduceOptions);
}

function kept(x: Tensor, axes: readonly number[]): number[] {
  return x.shape.map((d, i) => (axes.includes(i) ? 1 : d));
}

function reduction(op: keyof Reductions) {
  return (x: Tensor, axis?: Axes): Tensor => {
    const { axis: given, keepDims } = options(axis);
    requireType(x, ["f32", "i32", "u32"], op);
    const axes = axesOf(given, x.rank, op);
    if ((op === "max" || op === "min") && axes.some((a) => x.shape[a] === 0))
      fail(op, `an empty axis of ${show(x.shape)} has no ${op}.`);
    const shape = x.shape.filter((_, i) => !axes.includes(i));
    // An empty sum or product: the neutral element.
    const empty = x.size === 0 && (op === "sum" || op === "prod");
    // One element: only the shape changes, and the negative zero of a sum (a sum starts at 0).
    const single = axes.every((a) => x.shape[a] === 1);
    const y =
      axes.length === 0
        ? x
        : empty
          ? full(shape, op === "sum" ? 0 : 1, x.dtype)
          : single
            ? reshape(op === "sum" && x.dtype === "f32" ? add(x, 0) : x, shape)
            : apply(op, [x], { axes }, shape, x.dtype);
    return keepDims ? reshape(y, kept(x, axes)) : y;
  };
}

/** The sum along the given axes (default: all); 0 if empty. */
export const sum = reduction("sum");
/** The product along the given axes (default: all); 1 if empty. */
export const prod = reduction("prod");
/** The maximum along the given axes (default: all); NaN propagates. */
export const max = reduction("max");
/** The minimum along the given axes (default: all); NaN propagates. */
export const min = reduction("min");

function extent(x: Tensor, axis: Axes | undefined, op: string): number {
  return axesOf(options(axis).axis, x.rank, op).reduce((n, a) => n * x.shape[a], 1);
}

/** The mean along the given axes (default: all). */
export function mean(x: Tensor, axis?: Axes): Tensor {
  requireType(x, ["f32"], "mean");
  return mul(sum(x, axis), 1 / extent(x, axis, "mean"));
}

/** The variance; `correction` 1 gives the unbiased estimate. */
export function variance(x: Tensor, axis?: Axes, correction = 0): Tensor {
  const axes = axesOf(options(axis).axis, x.rank, "variance");
  const centred = sub(x, mean(x, { axis: axes, keepDims: true }));
  return div(sum(square(centred), axis), extent(x, axis, "variance") - correction);
}

/** @internal The root of a sum of squares. At 0, its minimum, the gradient is 0, as in PyTorch, and not ∞ · 0. */
export const rootOfSquares = customGradient(
  (x: Tensor) => sqrt(x),
  (g, y) => [div(mul(g, 0.5), where(eq(y, 0), Infinity, y))],
);

/** The standard deviation; `correction` 1 gives the square root of the unbiased variance. */
export function std(x: Tensor, axis?: Axes, correction = 0): Tensor {
  return rootOfSquares(variance(x, axis, correction));
}

/** The Euclidean norm. */
export function norm(x: Tensor, axis?: Axes): Tensor {
  return rootOfSquares(sum(square(x), axis));
}

function argument(op: "argmax" | "argmin") {
  return (x: Tensor, axis = -1): Tensor => {
    requireType(x, ["f32", "i32", "u32"], op);
    const a = axisOf(axis, x.rank, op);
    if (x.shape[a] === 0) fail(op, `an empty axis of ${show(x.shape)} has no extreme.`);
    return apply(
      op,
      [x],
      { axis: a },
      x.shape.filter((_, i) => i !== a),
      "i32",
    );
  };
}

/** The index of the maximum (i32); the first of equals. NaN is skipped, unless it is the first element. */
export const argmax = argument("argmax");
/** The index of the minimum (i32); the first of equals. NaN is skipped, unless it is the first element. */
export const argmin = argument("argmin");

/** @internal True at the elements equal to the reduced extreme `y` (with the reduced axes kept). */
export function attains(x: Tensor, y: Tensor, axes: readonly number[]): Tensor {
  return eq(x, reshape(y, kept(x, axes)));
}

function cumulative(op: "cumsum" | "cumprod") {
  return (x: Tensor, axis = 0, reverse = false): Tensor => {
    requireType(x, ["f32", "i32", "u32"], op);
    return apply(op, [x], { axis: axisOf(axis, x.rank, op), reverse }, x.shape, x.dtype);
  };
}

/** Cumulative sums along an axis (from the end if `reverse`). */
export const cumsum = cumulative("cumsum");
/** Cumulative products along an axis. */
export const cumprod = cumulative("cumprod");
