import { type DType, type TypedArray, typedArray } from "./dtype.ts";
import { fail } from "./errors.ts";
import { requireAllFit } from "./fit.ts";
import { add, cast, mul } from "./ops/arithmetic.ts";
import { requireShape } from "./ops/check.ts";
import { full, iota } from "./ops/movement.ts";
import { type Shape, show, sizeOf } from "./shape.ts";
import { type NestedNumbers, Storage, Tensor } from "./tensor.ts";

function shapeOf(values: unknown): number[] {
  return Array.isArray(values) ? [values.length, ...(values.length ? shapeOf(values[0]) : [])] : [];
}

/** Typed arrays of numbers. */
type NumberArray = TypedArray | Float64Array | Int8Array | Int16Array | Uint16Array | Uint8ClampedArray;

/**
 * A tensor from a number, nested arrays, or a typed array with a shape. The values are copied. Numbers and Float64Arrays become f32;
 * other typed arrays become the type that represents all of their elements exactly. An integer type refuses numbers that it cannot
 * represent.
 */
export function tensor(
  values: NestedNumbers | NumberArray,
  options: { shape?: Shape; dtype?: DType } = {},
): Tensor {
  const typed = ArrayBuffer.isView(values) ? values : undefined;
  const own = typed && typeOf(typed);
  const flat =
    typed ??
    (Array.isArray(values)
      ? ((values as unknown[]).flat(20) as (number | boolean)[])
      : [values as number | boolean]);
  const shape = options.shape ?? (typed ? [typed.length] : shapeOf(values));
  if (sizeOf(shape) !== flat.length) {
    fail(
      "tensor",
      `${flat.length} values do not fill the shape ${show(shape)}${options.shape ? "" : ": rows must have equal lengths"}.`,
    );
  }
  if (!typed) checkNesting(values, options.shape ? undefined : shape, 0);
  const dtype = options.dtype ?? own ?? (typeof flat[0] === "boolean" ? "bool" : "f32");
  if (dtype !== own) requireAllFit(flat as ArrayLike<number | boolean>, dtype, "tensor");
  const array = typedArray(dtype, flat.length);
  if (dtype === "bool") for (let i = 0; i < flat.length; i++) array[i] = flat[i] ? 1 : 0;
  else array.set(flat as ArrayLike<number>);
  return new Tensor(new Storage(dtype, array), [...shape]);
}

/** Checks that rows of one level have equal lengths and that leaves are numbers. With `shape` undefined, only the leaves are checked. */
function checkNesting(values: unknown, shape: Shape | undefined, level: number): void {
  if (!Array.isArray(values)) {
    if (typeof values !== "number" && typeof values !== "boolean")
      fail(
        "tensor",
        `expected numbers or nested arrays of them, but found ${values === null ? "null" : typeof values}.`,
      );
    if (shape && level !== shape.length)
      fail("tensor", "a row has fewer dimensions than the first one: rows must have equal lengths.");
    return;
  }
  if (shape && values.length !== shape[level])
    fail(
      "tensor",
      `a row of axis ${level} has ${values.length} elements and the first one ${shape[level]}: rows must have equal lengths.`,
    );
  for (const v of values) checkNesting(v, shape, level + 1);
}

const types: Record<string, DType | undefined> = {
  Float16Array: "f32",
  Float32Array: "f32",
  Float64Array: "f32",
  Int8Array: "i32",
  Int16Array: "i32",
  Int32Array: "i32",
  Uint8Array: "u8",
  Uint8ClampedArray: "u8",
  Uint16Array: "i32",
  Uint32Array: "u32",
};

function typeOf(array: NumberArray): DType {
  const kind = array[Symbol.toStringTag];
  return (
    types[kind] ??
    fail("tensor", `a ${kind} cannot become a tensor. Pass a typed array of numbers, such as a Float32Array.`)
  );
}

/** A scalar tensor that can be changed with `set()`: a learning rate for a bound function. */
export function scalar(value: number, dtype: DType = "f32"): Tensor {
  return tensor(value, { dtype });
}

/** A tensor filled with 0. */
export function zeros(shape: Shape, dtype: DType = "f32"): Tensor {
  requireShape(shape, "zeros");
  return full(shape, 0, dtype);
}

/** A tensor filled with 1. */
export function ones(shape: Shape, dtype: DType = "f32"): Tensor {
  requireShape(shape, "ones");
  return full(shape, 1, dtype);
}

/**
 * Zeros in memory that compiled code reads without a copy, to be filled through `data`, for example from a file. Other tensors are
 * copied there when compiled code first needs them.
 */
export function heapZeros(shape: Shape, dtype: DType = "f32"): Tensor {
  requireShape(shape, "placed");
  return new Tensor(Storage.placed(dtype, sizeOf(shape)), [...shape]);
}

/**
 * A view of the first elements of another tensor: both share the memory. For a buffer that is used at several sizes, such as
 * a growing cache.
 */
export function prefixView(of: Tensor, shape: Shape): Tensor {
  requireShape(shape, "prefixView");
  const whole = of.storage ?? of.refuse("prefixView");
  if (sizeOf(shape) > whole.length)
    fail(
      "prefixView",
      `the shape ${show(shape)} needs more than the ${whole.length} elements of ${show(of.shape)}.`,
    );
  return new Tensor(whole.front(sizeOf(shape)), [...shape]);
}

/** Zeros of another tensor's shape and type. */
export function zerosLike(x: Tensor): Tensor {
  return full(x.shape, 0, x.dtype);
}

/** Ones of another tensor's shape and type. */
export function onesLike(x: Tensor): Tensor {
  return full(x.shape, 1, x.dtype);
}

/** `start`, `start + step`, … up to but excluding `end`: i32 if `start` and `step` are integers, otherwise f32. */
export function arange(start: number, end?: number, step = 1, dtype?: DType): Tensor {
  const [from, to] = end === undefined ? [0, start] : [start, end];
  const whole = Number.isInteger(from) && Number.isInteger(step);
  const type = dtype ?? (whole ? "i32" : "f32");
  const n = Math.max(0, Math.ceil((to - from) / step));
  if (!Number.isFinite(n))
    fail(
      "arange",
      `from ${from} to ${to} with step ${step} never ends. Use finite values and a non-zero step.`,
    );
  if (type !== "f32" && !whole)
    fail(
      "arange",
      `numbers from ${from} with step ${step} are not integers, but the type is ${type}. Use f32.`,
    );
  return add(mul(cast(iota([n]), type), step), from);
}

/** `count` evenly spaced numbers from `start` to `end`, both included. */
export function linspace(start: number, end: number, count: number): Tensor {
  return add(mul(cast(iota([count]), "f32"), (end - start) / Math.max(1, count - 1)), start);
}

/** The identity matrix. */
export function eye(n: number): Tensor {
  return tensor(
    Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (i === j ? 1 : 0))),
    { shape: [n, n] },
  );
}
