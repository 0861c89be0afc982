import type { Compute } from "../../dtype.ts";
import type { BasicOp, CombineOp, Operand } from "../../kernel/kernel.ts";

export const typeName: Record<Compute, string> = { f32: "f32", i32: "i32", u32: "u32", bool: "bool" };
export const letter: Record<Compute, string> = { f32: "f", i32: "i", u32: "u", bool: "b" };

const infix: Partial<Record<BasicOp, string>> = {
  add: "+",
  sub: "-",
  mul: "*",
  and: "&",
  or: "|",
  xor: "^",
};
const order: Partial<Record<BasicOp, string>> = { eq: "==", ne: "!=", lt: "<", le: "<=", gt: ">", ge: ">=" };

/** An operand in WGSL. */
export const nameOf = (o: Operand): string => ("id" in o ? `v${o.id}` : literal(o.constant, o.type));

/** `op(args)` in WGSL. */
export function operation(op: BasicOp, args: readonly Operand[]): string {
  const names = args.map(nameOf);
  // An expression of constants alone is computed when the text is compiled, where an overflow is an error.
  if (args.every((o) => !("id" in o))) names[0] = `known_${letter[args[0].type]}(${names[0]})`;
  const type = (op === "select" ? args[1] : args[0]).type;
  const [a, b, c] = names;
  if (type === "bool" && op !== "select" && op !== "booltoi32" && op !== "booltof32")
    return logical(op, a, b);
  if (type === "f32" && op === "mul") {
    // Compilers take x · 0 for 0, but it is NaN where x is not finite.
    const zero = args.findIndex((o) => "constant" in o && o.constant === 0);
    if (zero >= 0) return `times_zero(${names[1 - zero]}, ${signOf(args[zero])})`;
  }
  if (infix[op]) return `${a} ${infix[op]} ${b}`;
  if (order[op]) return type === "f32" ? comparison(op, args, a, b) : `${a} ${order[op]} ${b}`;
  switch (op) {
    case "div":
    case "rem":
      if (type === "f32") return `${a} / ${b}`;
      return safeDivisor(args[1])
        ? `${a} ${op === "div" ? "/" : "%"} ${b}`
        : `${op}_${letter[type]}(${a}, ${b})`;
    case "neg":
      return `-(${a})`;
    case "not":
      return `~(${a})`;
    case "abs":
    case "sqrt":
    case "floor":
    case "ceil":
    case "trunc":
    case "round":
      return `${op}(${a})`;
    case "min":
    case "max":
      return type === "f32" ? `${op}_f(${a}, ${b})` : `${op}(${a}, ${b})`;
    case "shl":
    case "shr":
      return `${a} ${op === "shl" ? "<<" : ">>"} (u32(${b}) & 31u)`;
    case "select":
      return `select(${c}, ${b}, ${a})`;
    case "fma":
      return `fma(${a}, ${b}, ${c})`;
    case "f32toi32":
      return `f2i(${a})`;
    case "f32tou32":
      return `f2u(${a})`;
    case "i32tof32":
    case "u32tof32":
      return `f32(${a})`;
    case "booltoi32":
      return `select(0, 1, ${a})`;
    case "booltof32":
      return `select(0f, 1f, ${a})`;
    case "bits_f32toi32":
    case "u32toi32":
      return `bitcast<i32>(${a})`;
    case "bits_i32tof32":
      return `bitcast<f32>(${a})`;
    case "i32tou32":
      return `bitcast<u32>(${a})`;
    default:
      throw new Error(`internal: the WGSL emitter does not support the operation "${op}".`);
  }
}

function logical(op: BasicOp, a: string, b: string): string {
  switch (op) {
    case "and":
    case "min":
    case "mul":
      return `${a} & ${b}`;
    case "or":
    case "max":
    case "add":
      return `${a} | ${b}`;
    case "xor":
    case "ne":
      return `${a} != ${b}`;
    case "eq":
      return `${a} == ${b}`;
    case "not":
      return `!${a}`;
    case "lt":
      return `!${a} & ${b}`;
    case "le":
      return `!${a} | ${b}`;
    case "gt":
      return `${a} & !${b}`;
    case "ge":
      return `${a} | !${b}`;
    default:
      throw new Error(`internal: the WGSL emitter does not support the operation "${op}" of bool.`);
  }
}

/** A comparison of f32, as integers of the same order. A constant has a known one. */
function comparison(op: BasicOp, args: readonly Operand[], a: string, b: string): string {
  if (op === "ne") return `!(${comparison("eq", args, a, b)})`;
  const open = args.filter((o) => "id" in o || Number.isNaN(o.constant)).map(nameOf);
  if (open.length === 1) {
    const [x, y] = args.map((o) =>
      "constant" in o && !Number.isNaN(o.constant) ? key(o.constant) : `key(${nameOf(o)})`,
    );
    return `(${x} ${order[op]} ${y}) & number(${open[0]})`;
  }
  if (op === "gt") return `lt_f(${b}, ${a})`;
  if (op === "ge") return `le_f(${b}, ${a})`;
  return `${op}_f(${a}, ${b})`;
}

/** The function `key` of the prelude. */
function key(constant: number): string {
  const bits = new Int32Array(Float32Array.of(constant).buffer)[0];
  return literal(bits < 0 ? -(bits & 0x7fffffff) : bits, "i32");
}

/** Joins two lanes of an accumulator. */
export function fold(op: CombineOp, type: Compute, a: string, b: string): string {
  if (type === "bool") return logical(op, a, b);
  if (type === "f32" && op === "min") return `low_f(${a}, ${b})`;
  if (type === "f32" && op === "max") return `high_f(${a}, ${b})`;
  return op === "add" ? `${a} + ${b}` : op === "mul" ? `${a} * ${b}` : `${op}(${a}, ${b})`;
}

const signOf = (o: Operand) => ("constant" in o && Object.is(o.constant, -0) ? "0x80000000u" : "0u");

const safeDivisor = (o: Operand) => "constant" in o && o.constant !== 0 && o.constant !== -1;

/** A constant in WGSL, which refuses those that are not finite. */
export function literal(value: number, type: Compute): string {
  if (type === "bool") return value ? "true" : "false";
  if (type === "u32") return `${value >>> 0}u`;
  if (type === "i32") return (value | 0) < 0 ? `i32(${value | 0})` : `${value | 0}i`;
  const x = Math.fround(value);
  if (Number.isNaN(x)) return "special(0x7fc00000u)";
  if (!Number.isFinite(x)) return x > 0 ? "special(0x7f800000u)" : "special(0xff800000u)";
  // A zero with a sign and numbers below the normal range, which a compiler may replace by 0.
  if (Object.is(x, -0)) return "special(0x80000000u)";
  return x < 0 ? `(${x}f)` : `${x}f`;
}
