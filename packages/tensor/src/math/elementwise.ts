import type { Compute } from "../dtype.ts";
import type { Node, NodeOf } from "../graph.ts";
import type { BasicOp } from "../kernel/kernel.ts";
import type { Elementwise, None } from "../primitives.ts";
import type { Algebra } from "./algebra.ts";
import * as functions from "./functions.ts";
import { remainder } from "./remainder.ts";
import { sine } from "./sine.ts";

/** An elementwise operation in terms of basic ones. `type` is the compute type of its (last) argument. */
export type Build<Attributes = None> = <V>(
  a: Algebra<V>,
  type: Compute,
  attributes: Attributes,
  args: V[],
) => V;

const basic =
  (op: BasicOp): Build =>
  (a, type, _, args) =>
    a.op(type, op, ...args);
const float =
  (f: <V>(a: Algebra<V>, ...x: V[]) => V): Build =>
  (a, _, __, args) =>
    f(a, ...args);

/** Comparisons of min and max propagate NaN from either operand, as in PyTorch and NumPy. */
const extreme =
  (comparison: "gt" | "lt", op: "max" | "min"): Build =>
  (a, type, _, [x, y]) => {
    if (type !== "f32") return a.op(type, op, x, y);
    const first = a.op("bool", "or", a.op("f32", comparison, x, y), a.op("f32", "ne", x, x));
    return a.op("f32", "select", first, x, y);
  };

/** Converts between compute types; bool from a number means "not zero". */
export function convert<V>(a: Algebra<V>, from: Compute, to: Compute, x: V): V {
  if (from === to) return x;
  if (to === "bool") return a.op(from, "ne", x, a.constant(from, 0));
  if (from === "bool")
    return to === "f32" ? a.op("bool", "booltof32", x) : convert(a, "i32", to, a.op("bool", "booltoi32", x));
  return a.op(from, `${from}to${to}` as BasicOp, x);
}

/** Every elementwise operation. Those marked costly are never recomputed to save memory traffic. */
export const elementwise: { readonly [K in keyof Elementwise]: Build<Elementwise[K]> } = {
  add: basic("add"),
  sub: basic("sub"),
  mul: basic("mul"),
  div: basic("div"),
  neg: basic("neg"),
  abs: basic("abs"),
  sqrt: basic("sqrt"),
  floor: basic("floor"),
  ceil: basic("ceil"),
  trunc: basic("trunc"),
  round: basic("round"),
  not: basic("not"),
  and: basic("and"),
  or: basic("or"),
  xor: basic("xor"),
  shl: basic("shl"),
  shr: basic("shr"),
  eq: basic("eq"),
  ne: basic("ne"),
  lt: basic("lt"),
  le: basic("le"),
  gt: basic("gt"),
  ge: basic("ge"),
  where: basic("select"),
  maximum: extreme("gt", "max"),
  minimum: extreme("lt", "min"),
  /** The constant first, so that NaN propagates: `0 > x ? 0 : x`. */
  relu: (a, type, _, [x]) => a.op(type, "max", a.constant(type, 0), x),
  /** The remainder with the sign of the divisor, as in Python. */
  mod: (a, type, _, [x, y]) => {
    if (type === "f32") return remainder(a, x, y);
    if (type === "u32") return a.op(type, "rem", x, y);
    const r = a.op("i32", "rem", x, y);
    const zero = a.constant("i32", 0);
    const wrong = a.op(
      "bool",
      "and",
      a.op("i32", "ne", r, zero),
      a.op("i32", "lt", a.op("i32", "xor", r, y), zero),
    );
    return a.op("i32", "select", wrong, a.op("i32", "add", r, y), r);
  },
  reciprocal: (a, _, __, [x]) => a.op("f32", "div", a.constant("f32", 1), x),
  rsqrt: (a, _, __, [x]) => a.op("f32", "div", a.constant("f32", 1), a.op("f32", "sqrt", x)),
  sign: (a, type, _, [x]) => {
    const zero = a.constant(type, 0);
    const negative = a.op(
      type,
      "select",
      a.op(type, "lt", x, zero),
      a.constant(type, -1),
      type === "f32" ? a.op(type, "mul", x, zero) : zero,
    );
    return a.op(type, "select", a.op(type, "gt", x, zero), a.constant(type, 1), negative);
  },
  exp: float(functions.exp),
  log: float(functions.log),
  tanh: float(functions.tanh),
  sigmoid: float(functions.sigmoid),
  log1p: float(functions.log1p),
  expm1: float(functions.expm1),
  sin: (a, _, { near }, [x]) => sine(a, x, "sin", !!near),
  cos: (a, _, { near }, [x]) => sine(a, x, "cos", !!near),
  erf: float(functions.erf),
  lgamma: float(functions.lgamma),
  digamma: float(functions.digamma),
  trigamma: float(functions.trigamma),
  pow: (a, _, __, [x, y]) => functions.pow(a, x, y),
  threefry: (a, _, { word }, [k0, k1, c0, c1]) => functions.threefry(a, k0, k1, c0, c1, word),
  cast: (a, type, { to }, [x]) => {
    if (to !== "u8") return convert(a, type, to, x);
    const i = convert(a, type, "i32", x);
    return a.op("i32", "and", i, a.constant("i32", 255));
  },
  bitcast: (a, type, { to }, [x]) => {
    const i = type === "u32" ? a.op("u32", "u32toi32", x) : type === "f32" ? bitsOf(a, x) : x;
    return to === "f32" ? a.op("i32", "bits_i32tof32", i) : to === "u32" ? a.op("i32", "i32tou32", i) : i;
  },
};

/** The bits of an f32. Which NaN an operation returns depends on the processor, so every NaN has the same bits here. */
function bitsOf<V>(a: Algebra<V>, x: V): V {
  const isNumber = a.op("f32", "eq", x, x);
  return a.op("i32", "select", isNumber, a.op("f32", "bits_f32toi32", x), a.constant("i32", 0x7fc00000));
}

export const isElementwise = (n: Node): n is NodeOf<keyof Elementwise> => Object.hasOwn(elementwise, n.op);

/** Operations that take many basic ones: stored rather than recomputed. */
export const costly: ReadonlySet<string> = new Set<keyof Elementwise>([
  "exp",
  "log",
  "tanh",
  "sigmoid",
  "log1p",
  "expm1",
  "sin",
  "cos",
  "erf",
  "lgamma",
  "digamma",
  "trigamma",
  "pow",
  "threefry",
  "div",
  "sqrt",
  "rsqrt",
  "reciprocal",
  "mod",
]);
