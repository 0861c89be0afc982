import { apply } from "../apply.ts";
import type { DType } from "../dtype.ts";
import { fail } from "../errors.ts";
import { currentGraph, type Graph } from "../graph.ts";
import type { Elementwise, None } from "../primitives.ts";
import { broadcastShapes, type Shape, show } from "../shape.ts";
import { Tensor } from "../tensor.ts";
import { asTensor, requireType, scalarOf, type TensorLike } from "./check.ts";
import { broadcastTo } from "./movement.ts";

const numeric: DType[] = ["f32", "i32", "u32", "u8"];

/** Elementwise operations that need no attributes. */
type Plain = { [K in keyof Elementwise]: None extends Elementwise[K] ? K : never }[keyof Elementwise];

function unary(op: Plain, allowed: DType[]) {
  return (x: TensorLike): Tensor => {
    const t = asTensor(x, op);
    requireType(t, allowed, op);
    return apply(op, [t], {}, t.shape, t.dtype);
  };
}

const isReal = (x: TensorLike): x is Tensor => x instanceof Tensor && x.dtype === "f32";

/** A number in a shape. It is made once per graph: an optimiser uses the same few with every parameter. */
function stretched(graph: Graph, value: number, shape: Shape): Tensor {
  const key = `${Object.is(value, -0) ? "-0" : value}|${shape}`;
  const known = graph.numbers.get(key);
  if (known) return new Tensor(known);
  const made = broadcastTo(scalarOf(value, "f32"), shape);
  if (made.node) graph.numbers.set(key, made.node);
  return made;
}

/** Brings operands to one type and one shape. */
function together(op: string, x: TensorLike, y: TensorLike): [Tensor, Tensor] {
  const graph = currentGraph();
  if (graph && typeof y === "number" && isReal(x)) return [x, stretched(graph, y, x.shape)];
  if (graph && typeof x === "number" && isReal(y)) return [stretched(graph, x, y.shape), y];
  const like = x instanceof Tensor ? x.dtype : y instanceof Tensor ? y.dtype : undefined;
  const a = asTensor(x, op, like);
  const b = asTensor(y, op, like);
  if (a.dtype !== b.dtype)
    fail(
      op,
      `operands have types ${a.dtype}${show(a.shape)} and ${b.dtype}${show(b.shape)}. Convert one with cast().`,
    );
  const shape =
    broadcastShapes(a.shape, b.shape) ??
    fail(
      op,
      `shapes ${show(a.shape)} and ${show(b.shape)} cannot be broadcast: axes must be equal or 1, counted from the right.`,
    );
  return [broadcastTo(a, shape), broadcastTo(b, shape)];
}

function binary(op: Plain, allowed: DType[]) {
  return (x: TensorLike, y: TensorLike): Tensor => {
    const [a, b] = together(op, x, y);
    requireType(a, allowed, op);
    return apply(op, [a, b], {}, a.shape, a.dtype);
  };
}

function comparison(op: Plain) {
  return (x: TensorLike, y: TensorLike): Tensor => {
    const [a, b] = together(op, x, y);
    return apply(op, [a, b], {}, a.shape, "bool");
  };
}

/** x + y, element by element. Shapes are broadcast, a number takes the other operand's type, and integers wrap around. */
export const add = binary("add", numeric);
/** x − y, element by element and broadcast; integers wrap around. */
export const sub = binary("sub", numeric);
/** x · y, element by element and broadcast; the matrix product is `matmul`. */
export const mul = binary("mul", numeric);
/** The quotient; integer division truncates towards zero. */
export const div = binary("div", numeric);
/** The larger of two; NaN propagates. */
export const maximum = binary("maximum", numeric);
/** The smaller of two; NaN propagates. */
export const minimum = binary("minimum", numeric);
/** The remainder, with the sign of the divisor. */
export const mod = binary("mod", numeric);
/** Logical and of bools, or bitwise and of integers. */
export const and = binary("and", ["bool", "i32", "u32", "u8"]);
/** Logical or of bools, or bitwise or of integers. */
export const or = binary("or", ["bool", "i32", "u32", "u8"]);
/** Exclusive or of bools, or bitwise exclusive or of integers. */
export const xor = binary("xor", ["bool", "i32", "u32", "u8"]);
/** x shifted left by y bits (modulo 32). */
export const shl = binary("shl", ["i32", "u32"]);
/** x shifted right by y bits (modulo 32): arithmetic for i32, logical for u32. */
export const shr = binary("shr", ["i32", "u32"]);

/** True where x equals y. NaN equals nothing, not even itself. */
export const eq = comparison("eq");
/** True where x differs from y; always true for NaN. */
export const ne = comparison("ne");
/** True where x < y; always false for NaN. */
export const lt = comparison("lt");
/** True where x ≤ y; always false for NaN. */
export const le = comparison("le");
/** True where x > y; always false for NaN. */
export const gt = comparison("gt");
/** True where x ≥ y; always false for NaN. */
export const ge = comparison("ge");

/** −x. */
export const neg = unary("neg", ["f32", "i32"]);
/** The absolute value. */
export const abs = unary("abs", ["f32", "i32"]);
/** The sign of each element: -1, 0 or 1. */
export const sign = unary("sign", ["f32", "i32"]);
/** Logical not of bools, or bitwise not of integers. */
export const not = unary("not", ["bool", "i32", "u32"]);
/** The square root; NaN below 0. */
export const sqrt = unary("sqrt", ["f32"]);
/** 1 / √x. */
export const rsqrt = unary("rsqrt", ["f32"]);
/** 1 / x. */
export const reciprocal = unary("reciprocal", ["f32"]);
/** Rounds down to an integer; the type stays f32. */
export const floor = unary("floor", ["f32"]);
/** Rounds up to an integer; the type stays f32. */
export const ceil = unary("ceil", ["f32"]);
/** Rounds towards 0 to an integer; the type stays f32. */
export const trunc = unary("trunc", ["f32"]);
/** Rounds to the nearest integer, ties to even; the type stays f32. */
export const round = unary("round", ["f32"]);
/** eˣ; infinite above 88.7, the limit of f32. */
export const exp = unary("exp", ["f32"]);
/** eˣ − 1, accurate also near 0. */
export const expm1 = unary("expm1", ["f32"]);
/** The natural logarithm: -∞ at 0, NaN below. */
export const log = unary("log", ["f32"]);
/** log(1 + x), accurate also near 0. */
export const log1p = unary("log1p", ["f32"]);
/** The sine of an angle in radians. */
export const sin = unary("sin", ["f32"]);
/** The cosine of an angle in radians. */
export const cos = unary("cos", ["f32"]);
/** The hyperbolic tangent, between -1 and 1. */
export const tanh = unary("tanh", ["f32"]);
/** The logistic sigmoid 1 / (1 + e⁻ˣ), between 0 and 1. */
export const sigmoid = unary("sigmoid", ["f32"]);
/** The error function: the probability that a normal variable with deviation 1/√2 lies between -x and x. */
export const erf = unary("erf", ["f32"]);
/** log Γ(x), for x > 0. */
export const lgamma = unary("lgamma", ["f32"]);
/** The derivative of {@link lgamma}. */
export const digamma = unary("digamma", ["f32"]);
/** The derivative of {@link digamma}. */
export const trigamma = unary("trigamma", ["f32"]);
/** max(x, 0). */
export const relu = unary("relu", ["f32", "i32"]);

/** x · x. */
export function square(x: TensorLike): Tensor {
  return mul(x, x);
}

/** x to the power y; small integer and half exponents given as numbers become products and roots. */
export function pow(x: TensorLike, y: TensorLike): Tensor {
  if (y === 0.5) return sqrt(x);
  if (y === -1) return reciprocal(x);
  if (y === 1) return asTensor(x, "pow");
  if (y === 2) return square(x);
  if (y === 3) return mul(square(x), x);
  const [a, b] = together("pow", x, y);
  requireType(a, ["f32"], "pow");
  return apply("pow", [a, b], {}, a.shape, "f32");
}

/** `a` where the condition is true, `b` elsewhere. */
export function where(condition: Tensor, x: TensorLike, y: TensorLike): Tensor {
  requireType(condition, ["bool"], "where");
  const [a, b] = together("where", x, y);
  const shape =
    broadcastShapes(condition.shape, a.shape) ??
    fail(
      "where",
      `the condition ${show(condition.shape)} cannot be broadcast to the values ${show(a.shape)}.`,
    );
  return apply(
    "where",
    [broadcastTo(condition, shape), broadcastTo(a, shape), broadcastTo(b, shape)],
    {},
    shape,
    a.dtype,
  );
}

/** Converts the element type. Conversion to an integer truncates towards zero; to `bool` it means "not 0". */
export function cast(x: TensorLike, dtype: DType): Tensor {
  const t = asTensor(x, "cast");
  return t.dtype === dtype ? t : apply("cast", [t], { to: dtype }, t.shape, dtype);
}

/** The same bits read as another type of equal size. Every NaN is read as 0x7fc00000, on any processor. */
export function bitcast(x: Tensor, dtype: "f32" | "i32" | "u32"): Tensor {
  requireType(x, ["f32", "i32", "u32"], "bitcast");
  return x.dtype === dtype ? x : apply("bitcast", [x], { to: dtype }, x.shape, dtype);
}

/** Clamps values to the range from `low` to `high`. */
export function clamp(x: Tensor, low: TensorLike, high: TensorLike): Tensor {
  return minimum(maximum(x, low), high);
}
