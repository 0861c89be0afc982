import type { DType } from "../dtype.ts";
import type { NodeOf, Op } from "../graph.ts";
import type { Elementwise, Reductions } from "../primitives.ts";
import { type Shape, sameShape, sizeOf } from "../shape.ts";
import { elementRules } from "./element-rules.ts";
import type { Form } from "./form.ts";

/** The shape and type of an operation's result; undefined if its arguments or attributes are invalid. */
export type Rule<K extends Op> = (inputs: readonly Form[], node: NodeOf<K>) => Form | undefined;

const isWhole = (x: unknown, least = 0): x is number =>
  typeof x === "number" && Number.isSafeInteger(x) && x >= least;
const isAxis = (axis: unknown, { shape }: Form) => isWhole(axis) && axis < shape.length;
const isList = (x: unknown, length: number): x is readonly number[] =>
  Array.isArray(x) && x.length === length && x.every((d) => isWhole(d));
const replaced = (shape: Shape, axis: number, extent: number) =>
  shape.map((d, i) => (i === axis ? extent : d));
const isReal = (...all: readonly Form[]) => all.every((x) => x.dtype === "f32");
const isScalarIndex = (x: Form) => x.dtype === "i32" && x.shape.length === 0;
/** Whether two shapes differ at most on this axis. */
const apartFrom = (axis: number, a: Shape, b: Shape) =>
  a.length === b.length && a.every((d, i) => i === axis || d === b[i]);

const same: Rule<Op> = ([x]) => x;

/** Types that can be added and compared, as in the operations themselves: back ends give different values for others. */
const isNumeric = ({ dtype }: Form) => dtype === "f32" || dtype === "i32" || dtype === "u32";

/** Whether a number is a value of a type. */
function isValue(value: unknown, dtype: DType): boolean {
  if (typeof value !== "number") return false;
  if (dtype === "f32") return true;
  const [least, most] = ranges[dtype];
  return Number.isInteger(value) && value >= least && value <= most;
}
/** The Jacobi method converges in about ten sweeps, whatever the size of the matrix. */
const mostSweeps = 100;
const ranges = { i32: [-(2 ** 31), 2 ** 31 - 1], u32: [0, 2 ** 32 - 1], u8: [0, 255], bool: [0, 1] } as const;

const along: Rule<"cumsum" | "cumprod" | "argsort"> = ([x], { op, attributes }) => {
  const flag = "reverse" in attributes ? attributes.reverse : attributes.descending;
  return isAxis(attributes.axis, x) && isNumeric(x) && typeof flag === "boolean"
    ? { shape: x.shape, dtype: op === "argsort" ? "i32" : x.dtype }
    : undefined;
};

const reduced: Rule<keyof Reductions> = ([x], { op, attributes: { axes } }) =>
  isNumeric(x) &&
  Array.isArray(axes) &&
  axes.every((a) => isAxis(a, x) && (op === "sum" || op === "prod" || x.shape[a] > 0)) &&
  new Set(axes).size === axes.length
    ? { shape: x.shape.filter((_, i) => !axes.includes(i)), dtype: x.dtype }
    : undefined;

const position: Rule<"argmax" | "argmin"> = ([x], { attributes: { axis } }) =>
  isNumeric(x) && isAxis(axis, x) && x.shape[axis] > 0
    ? { shape: x.shape.filter((_, i) => i !== axis), dtype: "i32" }
    : undefined;

/** The number of arguments of an operation, if fixed. */
export const argumentCounts: { readonly [K in Exclude<Op, keyof Elementwise>]?: number } = {
  ...{ constant: 0, iota: 0, input: 0, reshape: 1, broadcast: 1, permute: 1, slice: 1, windows: 1 },
  ...{ identity: 1, stopGradient: 1, sum: 1, prod: 1, max: 1, min: 1, gather: 2, dynamicSlice: 2 },
  ...{ matmul: 2, pad: 1, overlapAdd: 1, scatterAdd: 2, scatter: 3, dynamicUpdate: 3, cumsum: 1 },
  ...{ cumprod: 1, argmax: 1, argmin: 1, argsort: 1, cholesky: 1, triangularSolve: 2, jacobi: 1 },
};

/** Operations that a serialised function never contains: gradients are taken before, and lowering comes after. */
type Absent = "custom" | "fma" | "copy" | "input" | "element" | "scan";

/** The result form of every operation. Nothing else protects compiled code from a modified file. */
export const rules: { readonly [K in Exclude<Op, Absent>]: Rule<K> } = {
  ...elementRules,
  constant: (_, { attributes: { value }, shape, dtype }) =>
    isValue(value, dtype) && shape.length === 0 ? { shape, dtype } : undefined,
  iota: (_, { attributes: { axis }, shape, dtype }) =>
    dtype === "i32" && isAxis(axis, { shape, dtype }) ? { shape, dtype } : undefined,
  identity: same,
  stopGradient: same,
  reshape: ([x], { attributes: { shape } }) =>
    isList(shape, shape?.length) && sizeOf(shape) === sizeOf(x.shape) ? { shape, dtype: x.dtype } : undefined,
  broadcast: ([x], { attributes: { shape } }) =>
    isList(shape, x.shape.length) && x.shape.every((d, i) => d === shape[i] || d === 1)
      ? { shape, dtype: x.dtype }
      : undefined,
  permute: ([x], { attributes: { axes } }) =>
    isList(axes, x.shape.length) && new Set(axes).size === axes.length && axes.every((a) => isAxis(a, x))
      ? { shape: axes.map((a) => x.shape[a]), dtype: x.dtype }
      : undefined,
  slice: ([x], { attributes: { begin, size, step } }) => {
    const rank = x.shape.length;
    const whole = [begin, size, step].every((l) => Array.isArray(l) && l.length === rank);
    const inside = (at: number, axis: number) => isWhole(at) && at < x.shape[axis];
    const fits = () =>
      size.every(
        (n, i) =>
          isWhole(n) &&
          Number.isSafeInteger(step[i]) &&
          isWhole(begin[i]) &&
          // Where nothing is read, the place is still computed.
          (n === 0 ? begin[i] <= x.shape[i] : inside(begin[i], i) && inside(begin[i] + (n - 1) * step[i], i)),
      );
    return whole && fits() ? { shape: size, dtype: x.dtype } : undefined;
  },
  windows: ([x], { attributes: { axis, size, stride, dilation } }) => {
    if (!isAxis(axis, x) || ![size, stride, dilation].every((n) => isWhole(n, 1))) return undefined;
    const count = Math.floor((x.shape[axis] - (size - 1) * dilation - 1) / stride) + 1;
    if (count < 1) return undefined;
    return { shape: [...x.shape.slice(0, axis), count, size, ...x.shape.slice(axis + 1)], dtype: x.dtype };
  },
  overlapAdd: ([x], { attributes: { axis, length, stride, dilation } }) => {
    if (!isNumeric(x) || !isAxis(axis, x) || !isWhole(length)) return undefined;
    if (![stride, dilation].every((n) => isWhole(n, 1))) return undefined;
    const [count, size] = x.shape.slice(axis);
    // The last element of the last window lies inside.
    if (!(size >= 1) || (count - 1) * stride + (size - 1) * dilation >= length) return undefined;
    return { shape: [...x.shape.slice(0, axis), length, ...x.shape.slice(axis + 2)], dtype: x.dtype };
  },
  sum: reduced,
  prod: reduced,
  max: reduced,
  min: reduced,
  gather: ([x, at], { attributes: { axis } }) =>
    isAxis(axis, x) && at.dtype === "i32" && apartFrom(axis, x.shape, at.shape) && pickable(x, axis, at)
      ? { shape: at.shape, dtype: x.dtype }
      : undefined,
  dynamicSlice: ([x, at], { attributes: { axis, size } }) =>
    isAxis(axis, x) && isScalarIndex(at) && isWhole(size) && size <= x.shape[axis]
      ? { shape: replaced(x.shape, axis, size), dtype: x.dtype }
      : undefined,
  dynamicUpdate: ([x, update, at], { attributes: { axis } }) =>
    isAxis(axis, x) &&
    isScalarIndex(at) &&
    update.dtype === x.dtype &&
    apartFrom(axis, x.shape, update.shape) &&
    update.shape[axis] <= x.shape[axis]
      ? x
      : undefined,
  scatterAdd: ([at, source], { attributes: { axis, size } }) =>
    isNumeric(source) &&
    isAxis(axis, source) &&
    at.dtype === "i32" &&
    sameShape(at.shape, source.shape) &&
    isWhole(size)
      ? { shape: replaced(source.shape, axis, size), dtype: source.dtype }
      : undefined,
  scatter: ([x, at, source], { attributes: { axis } }) =>
    isAxis(axis, x) &&
    at.dtype === "i32" &&
    source.dtype === x.dtype &&
    sameShape(at.shape, source.shape) &&
    apartFrom(axis, x.shape, source.shape)
      ? x
      : undefined,
  matmul: ([a, b]) => {
    const rank = a.shape.length;
    if (rank < 2 || b.shape.length !== rank || !isReal(a, b)) return undefined;
    const lead = a.shape.slice(0, -2);
    if (!sameShape(lead, b.shape.slice(0, -2)) || a.shape[rank - 1] !== b.shape[rank - 2]) return undefined;
    return { shape: [...lead, a.shape[rank - 2], b.shape[rank - 1]], dtype: "f32" };
  },
  concat: (parts, { attributes: { axis } }) => {
    const [first] = parts;
    if (!first || !isAxis(axis, first)) return undefined;
    const fit = parts.every((p) => p.dtype === first.dtype && apartFrom(axis, first.shape, p.shape));
    const extent = parts.reduce((n, p) => n + p.shape[axis], 0);
    return fit ? { shape: replaced(first.shape, axis, extent), dtype: first.dtype } : undefined;
  },
  pad: ([x], { attributes: { low, value }, shape }) =>
    isList(low, x.shape.length) &&
    shape.length === low.length &&
    isValue(value, x.dtype) &&
    low.every((n, i) => n + x.shape[i] <= shape[i])
      ? { shape, dtype: x.dtype }
      : undefined,
  cumsum: along,
  cumprod: along,
  argsort: along,
  argmax: position,
  argmin: position,
  cholesky: ([x]) => (isSquare(x) ? x : undefined),
  triangularSolve: ([l, b], { attributes: { transposed } }) =>
    typeof transposed === "boolean" &&
    isSquare(l) &&
    isReal(b) &&
    apartFrom(l.shape.length - 1, l.shape, b.shape)
      ? b
      : undefined,
  jacobi: ([x], { attributes: { sweeps } }) => {
    const n = x.shape[x.shape.length - 1];
    const fits = isSquare(x) && isWhole(sweeps) && sweeps <= mostSweeps;
    return fits ? { shape: [...x.shape.slice(0, -2), n + 1, n], dtype: "f32" } : undefined;
  },
  flash: () => undefined,
  attend: (inputs, { attributes: { scale, causal } }) => {
    if (inputs.length !== 4 && inputs.length !== 5) return undefined;
    const [q, k, v, lengths, rows] = inputs;
    const rank = q.shape.length;
    const lead = q.shape.slice(0, -2);
    const entries = rows ? [k.shape[0], ...lead.slice(1)] : lead;
    if (rows && !(rank > 2 && rows.dtype === "i32" && sameShape(rows.shape, [lead[0]]) && k.shape[0] > 0))
      return undefined;
    const fits = (t: Form, own: Shape) =>
      t.shape.length === rank && isReal(t) && sameShape(t.shape.slice(0, -2), own);
    const alike = fits(q, lead) && fits(k, entries) && fits(v, entries);
    if (rank < 2 || !alike || typeof scale !== "number" || (causal ?? true) !== true) return undefined;
    const [d, keys] = [q.shape[rank - 1], k.shape[rank - 2]];
    if (k.shape[rank - 1] !== d || v.shape[rank - 2] !== keys) return undefined;
    if (lengths.dtype !== "i32" || !sameShape(lengths.shape, lead)) return undefined;
    return { shape: [...q.shape.slice(0, -1), v.shape[rank - 1]], dtype: "f32" };
  },
};

const isSquare = (x: Form) => {
  const [m, n] = x.shape.slice(-2);
  return x.shape.length >= 2 && m === n && isReal(x);
};

/** Whether every index has an element to read. */
const pickable = (x: Form, axis: number, at: Form) => x.shape[axis] > 0 || sizeOf(at.shape) === 0;
