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

/** A number in a shape. It is made once in a graph: an optimiser asks for the same few beside every parameter. */
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
      `shapes ${show(a.shape)} and ${show(b.shape)} do not fit: an axis must be equal or 1, counted from the right.`,
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
/** The quotient; between integers it is cut towards zero. */
export const div = binary("div", numeric);
/** The larger of two; NaN wins. */
export const maximum = binary("maximum", numeric);
/** The smaller of two; NaN wins. */
export const minimum = binary("minimum", numeric);
/** The remainder, with the sign of the divisor. */
export const mod = binary("mod", numeric);
/** Both: of truth values, or bit by bit of integers. */
export const and = binary("and", ["bool", "i32", "u32", "u8"]);
/** Either or both: of truth values, or bit by bit of integers. */
export const or = binary("or", ["bool", "i32", "u32", "u8"]);
/** One but not both: of truth values, or bit by bit of integers. */
export const xor = binary("xor", ["bool", "i32", "u32", "u8"]);
/** The bits of x moved to the left by y places, counted modulo 32; zeros follow. */
export const shl = binary("shl", ["i32", "u32"]);
/** The bits of x moved to the right by y places, counted modulo 32: i32 keeps its sign, u32 is filled with zeros. */
export const shr = binary("shr", ["i32", "u32"]);

/** Where x equals y (bool). NaN equals nothing, not even itself. */
export const eq = comparison("eq");
/** Where x differs from y (bool); always where either is NaN. */
export const ne = comparison("ne");
/** Where x is below y (bool); never where either is NaN. */
export const lt = comparison("lt");
/** Where x is at most y (bool); never where either is NaN. */
export const le = comparison("le");
/** Where x is above y (bool); never where either is NaN. */
export const gt = comparison("gt");
/** Where x is at least y (bool); never where either is NaN. */
export const ge = comparison("ge");

/** −x. */
export const neg = unary("neg", ["f32", "i32"]);
/** The distance from 0. */
export const abs = unary("abs", ["f32", "i32"]);
/** -1, 0 or 1: on which side of 0 each element lies. */
export const sign = unary("sign", ["f32", "i32"]);
/** The opposite truth value, or all bits of an integer turned over. */
export const not = unary("not", ["bool", "i32", "u32"]);
/** The square root; NaN below 0. */
export const sqrt = unary("sqrt", ["f32"]);
/** 1 / √x, as norms divide by it. */
export const rsqrt = unary("rsqrt", ["f32"]);
/** 1 / x. */
export const reciprocal = unary("reciprocal", ["f32"]);
/** Down to a whole number, which stays f32. */
export const floor = unary("floor", ["f32"]);
/** Up to a whole number, which stays f32. */
export const ceil = unary("ceil", ["f32"]);
/** Towards 0 to a whole number, which stays f32. */
export const trunc = unary("trunc", ["f32"]);
/** To the nearest whole number, halves to the even one. */
export const round = unary("round", ["f32"]);
/** eˣ; infinite above 88.7, where f32 ends. */
export const exp = unary("exp", ["f32"]);
/** eˣ − 1, exact also near 0, where the difference of the two would cancel. */
export const expm1 = unary("expm1", ["f32"]);
/** The natural logarithm: -∞ at 0, NaN below. */
export const log = unary("log", ["f32"]);
/** log(1 + x), exact also near 0, where adding 1 would lose x. */
export const log1p = unary("log1p", ["f32"]);
/** The sine of an angle in radians. */
export const sin = unary("sin", ["f32"]);
/** The cosine of an angle in radians. */
export const cos = unary("cos", ["f32"]);
/** The hyperbolic tangent: squashes all numbers into -1 … 1. */
export const tanh = unary("tanh", ["f32"]);
/** 1 / (1 + e⁻ˣ): squashes all numbers into 0 … 1, as the probability that a logit stands for. */
export const sigmoid = unary("sigmoid", ["f32"]);
/** The error function: the share of a normal distribution with deviation 1/√2 that lies between -x and x. */
export const erf = unary("erf", ["f32"]);
/** log Γ(x), for x > 0. */
export const lgamma = unary("lgamma", ["f32"]);
/** The derivative of {@link lgamma}. */
export const digamma = unary("digamma", ["f32"]);
/** The derivative of {@link digamma}. */
export const trigamma = unary("trigamma", ["f32"]);
/** x above 0, and 0 below. */
export const relu = unary("relu", ["f32", "i32"]);

/** x · x. */
export function square(x: TensorLike): Tensor {
  return mul(x, x);
}

/** x to the power y; small whole and half exponents given as numbers become products and roots. */
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

/** `a` where the condition holds, `b` elsewhere. */
export function where(condition: Tensor, x: TensorLike, y: TensorLike): Tensor {
  requireType(condition, ["bool"], "where");
  const [a, b] = together("where", x, y);
  const shape =
    broadcastShapes(condition.shape, a.shape) ??
    fail("where", `the condition ${show(condition.shape)} does not fit the values ${show(a.shape)}.`);
  return apply(
    "where",
    [broadcastTo(condition, shape), broadcastTo(a, shape), broadcastTo(b, shape)],
    {},
    shape,
    a.dtype,
  );
}

/** Converts the element type. Numbers become whole towards zero; `bool` means "not 0". */
export function cast(x: TensorLike, dtype: DType): Tensor {
  const t = asTensor(x, "cast");
  return t.dtype === dtype ? t : apply("cast", [t], { to: dtype }, t.shape, dtype);
}

/** The same bits read as another type of equal size. */
export function bitcast(x: Tensor, dtype: "f32" | "i32" | "u32"): Tensor {
  requireType(x, ["f32", "i32", "u32"], "bitcast");
  return x.dtype === dtype ? x : apply("bitcast", [x], { to: dtype }, x.shape, dtype);
}

/** Limits values to the range from `low` to `high`. */
export function clamp(x: Tensor, low: TensorLike, high: TensorLike): Tensor {
  return minimum(maximum(x, low), high);
}
