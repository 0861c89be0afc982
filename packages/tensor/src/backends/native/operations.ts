import type { Compute } from "../../dtype.ts";
import type { BasicOp } from "../../kernel/kernel.ts";

export const letter: Record<Compute, string> = { f32: "f", i32: "i", u32: "u", bool: "b" };
export const infix: Partial<Record<BasicOp, string>> = {
  add: "+",
  sub: "-",
  mul: "*",
  and: "&",
  or: "|",
  xor: "^",
  eq: "==",
  ne: "!=",
  lt: "<",
  le: "<=",
  gt: ">",
  ge: ">=",
};

/**
 * Signed operations that may overflow: undefined in C, so they are done on unsigned numbers. (The flag -fwrapv would
 * define them too, but with it gcc 12 miscompiles loops that step backwards through memory.)
 */
export const wraps: ReadonlySet<BasicOp> = new Set(["add", "sub", "mul", "neg", "shl"]);

/** `op(args)` as a C expression on scalars. `type` is that of the arguments (of the alternatives for select). */
export function scalarOperation(
  op: BasicOp,
  type: Compute,
  args: readonly string[],
  constant?: number,
): string {
  const [a, b, c] = args;
  const symbol = infix[op];
  if (type === "i32" && wraps.has(op))
    return `(i32)(${op === "neg" ? `-(u32)${a}` : `(u32)${a} ${op === "shl" ? `<< (${b} & 31)` : `${symbol} (u32)${b}`}`})`;
  if (symbol) return `${a} ${symbol} ${b}`;
  switch (op) {
    case "div":
      if (type === "f32") return `${a} / ${b}`;
      return safeDivisor(constant) ? `${a} / ${b}` : `div${letter[type]}(${a}, ${b})`;
    case "rem":
      return safeDivisor(constant) ? `${a} % ${b}` : `rem${letter[type]}(${a}, ${b})`;
    case "neg":
      return `-${a}`;
    case "not":
      return type === "bool" ? `!${a}` : `~${a}`;
    case "abs":
      return type === "f32" ? `absf_(${a})` : type === "i32" ? `(i32)(${a} < 0 ? -(u32)${a} : (u32)${a})` : a;
    case "sqrt":
      return `__builtin_sqrtf(${a})`;
    case "floor":
      return `__builtin_floorf(${a})`;
    case "ceil":
      return `__builtin_ceilf(${a})`;
    case "trunc":
      return `__builtin_truncf(${a})`;
    case "round":
      return `__builtin_rintf(${a})`;
    case "min":
      return `${a} < ${b} ? ${a} : ${b}`;
    case "max":
      return `${a} > ${b} ? ${a} : ${b}`;
    case "shl":
      return `${a} << (${b} & 31)`;
    case "shr":
      return `${a} >> (${b} & 31)`;
    case "select":
      return `${a} ? ${b} : ${c}`;
    case "fma":
      return `fma_(${a}, ${b}, ${c})`;
    case "f32toi32":
      return `f2i(${a})`;
    case "f32tou32":
      return `f2u(${a})`;
    case "i32tof32":
    case "u32tof32":
    case "booltof32":
      return `(f32)${a}`;
    case "booltoi32":
    case "u32toi32":
      return `(i32)${a}`;
    case "i32tou32":
      return `(u32)${a}`;
    case "bits_f32toi32":
      return `bits_f(${a})`;
    case "bits_i32tof32":
      return `bits_i(${a})`;
    default:
      throw new Error(`internal: the C emitter does not support the operation "${op}".`);
  }
}

/** `op(args)` on vectors; every argument is a vector (a mask of 0 and -1 for bool). */
export function vectorOperation(
  op: BasicOp,
  type: Compute,
  args: readonly string[],
  constant?: number,
): string {
  const [a, b, c] = args;
  const t = letter[type];
  // As a lane, true is -1, so the order of bools is reversed.
  if (type === "bool" && (op === "lt" || op === "le" || op === "gt" || op === "ge"))
    return `${b} ${infix[op]} ${a}`;
  const symbol = infix[op];
  if (type === "i32" && wraps.has(op))
    return `(vi)(${op === "neg" ? `-(vu)(${a})` : `(vu)(${a}) ${op === "shl" ? `<< ((vu)(${b}) & 31)` : `${symbol} (vu)(${b})`}`})`;
  if (symbol) return `${a} ${symbol} ${b}`;
  const select = `sel${type === "bool" ? "i" : t}`;
  switch (op) {
    case "div":
      if (type === "f32") return `${a} / ${b}`;
      return safeDivisor(constant) ? `${a} / ${b}` : `vdiv${t}(${a}, ${b})`;
    case "rem":
      return safeDivisor(constant) ? `${a} % ${b}` : `vrem${t}(${a}, ${b})`;
    case "neg":
      return `-${a}`;
    case "not":
      return `~${a}`;
    case "abs":
      return type === "f32" ? `vabsf_(${a})` : type === "i32" ? `seli(${a} < 0, (vi)-(vu)${a}, ${a})` : a;
    case "sqrt":
      return `vsqrtf(${a})`;
    case "floor":
      return `vfloorf(${a})`;
    case "ceil":
      return `vceilf(${a})`;
    case "trunc":
      return `vtruncf(${a})`;
    case "round":
      return `vrintf(${a})`;
    case "min":
      return type === "f32"
        ? `${bound(constant) ? "clipmin" : "vminf"}(${a}, ${b})`
        : `${select}(${a} < ${b}, ${a}, ${b})`;
    case "max":
      return type === "f32"
        ? `${bound(constant) ? "clipmax" : "vmaxf"}(${a}, ${b})`
        : `${select}(${a} > ${b}, ${a}, ${b})`;
    case "shl":
      return `${a} << (${b} & 31)`;
    case "shr":
      return `${a} >> (${b} & 31)`;
    case "select":
      return `${select}(${a}, ${b}, ${c})`;
    case "fma":
      return `vfma(${a}, ${b}, ${c})`;
    case "f32toi32":
      return `vf2i(${a})`;
    case "f32tou32":
      return `vf2u(${a})`;
    case "i32tof32":
    case "u32tof32":
      return `__builtin_convertvector(${a}, vf)`;
    case "booltof32":
      return `(vf)(${a} & 0x3f800000)`;
    case "booltoi32":
      return `${a} & 1`;
    case "u32toi32":
    case "bits_f32toi32":
      return `(vi)${a}`;
    case "i32tou32":
      return `(vu)${a}`;
    case "bits_i32tof32":
      return `(vf)${a}`;
    default:
      throw new Error(`internal: the C emitter does not support the operation "${op}".`);
  }
}

/** With a constant that is neither 0 nor NaN, ARM's minimum and maximum agree with ours: only the sign of zero differs. */
function bound(constant: number | undefined): boolean {
  return constant !== undefined && constant !== 0 && !Number.isNaN(constant);
}

/** Division by a constant other than 0 and -1 is defined in C, and compilers turn it into a multiplication. */
function safeDivisor(constant: number | undefined): boolean {
  return constant !== undefined && constant !== 0 && constant !== -1;
}

/** A constant of the given type in C. */
export function literal(value: number, type: Compute): string {
  if (type === "bool") return value ? "1" : "0";
  if (type === "u32") return `${value >>> 0}u`;
  if (type === "i32")
    return value === -2147483648 ? "(-2147483647 - 1)" : value < 0 ? `(${value | 0})` : `${value | 0}`;
  const x = Math.fround(value);
  if (Number.isNaN(x)) return '__builtin_nanf("")';
  if (!Number.isFinite(x)) return x > 0 ? "__builtin_inff()" : "(-__builtin_inff())";
  const text = Object.is(x, -0) ? "-0" : String(x);
  const real = /[.e]/.test(text) ? text : `${text}.`;
  return text.startsWith("-") ? `(${real}f)` : `${real}f`;
}
