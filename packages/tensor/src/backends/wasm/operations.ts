import type { Compute } from "../../dtype.ts";
import type { BasicOp } from "../../kernel/kernel.ts";
import type { Code, PlainOp, SimdOp } from "./assembler.ts";

/** Pushes argument `i`; may be called more than once for small integers, in any order. */
type Push = (i: number) => void;

const compare: Partial<Record<BasicOp, string>> = {
  eq: "eq",
  ne: "ne",
  lt: "lt",
  le: "le",
  gt: "gt",
  ge: "ge",
};
const floatUnary: Partial<Record<BasicOp, string>> = {
  neg: "neg",
  abs: "abs",
  sqrt: "sqrt",
  floor: "floor",
  ceil: "ceil",
  trunc: "trunc",
  round: "nearest",
};
const arithmetic = new Set<BasicOp>(["add", "sub", "mul"]);
const bitwise = new Set<BasicOp>(["and", "or", "xor"]);
const sign = (type: Compute) => (type === "i32" ? "s" : "u");

/** Writes `op` on scalars: f32 or i32 registers; a bool is 0 or 1. `type` is that of the arguments (of the second for select). */
export function scalarOperation(
  code: Code,
  op: BasicOp,
  type: Compute,
  push: Push,
  constants: readonly (number | undefined)[],
  relaxed: boolean,
): void {
  const float = type === "f32";
  const one = (name: PlainOp) => {
    push(0);
    code.op(name);
  };
  const two = (name: PlainOp) => {
    push(0);
    push(1);
    code.op(name);
  };
  if (compare[op]) {
    const ordered = op !== "eq" && op !== "ne" && !float;
    two(`${float ? "f32" : "i32"}.${op}${ordered ? `_${sign(type)}` : ""}` as PlainOp);
    return;
  }
  if (float && floatUnary[op]) {
    one(`f32.${floatUnary[op]}` as PlainOp);
    return;
  }
  if (arithmetic.has(op)) {
    two(`${type === "f32" ? "f32" : "i32"}.${op}` as PlainOp);
    return;
  }
  if (bitwise.has(op)) {
    two(`i32.${op}` as PlainOp);
    return;
  }
  switch (op) {
    case "div":
    case "rem":
      float ? two("f32.div") : integerDivision(code, op, type, push, constants[1]);
      return;
    case "min":
    case "max": {
      const kind = float ? "f32" : "i32";
      const a = code.local(kind);
      const b = code.local(kind);
      push(0);
      code.tee(a);
      push(1);
      code.tee(b).get(a).get(b);
      code
        .op(`${kind}.${op === "min" ? "lt" : "gt"}${float ? "" : `_${sign(type)}`}` as PlainOp)
        .op("select");
      code.free(a);
      code.free(b);
      return;
    }
    case "neg":
      code.i32(0);
      push(0);
      code.op("i32.sub");
      return;
    case "abs": {
      push(0);
      if (type === "u32") return;
      // (x ^ s) - s with s = x >> 31.
      const x = code.local("i32");
      code.tee(x).get(x).i32(31).op("i32.shr_s").op("i32.xor").get(x).i32(31).op("i32.shr_s").op("i32.sub");
      code.free(x);
      return;
    }
    case "not":
      push(0);
      if (type === "bool") code.op("i32.eqz");
      else code.i32(-1).op("i32.xor");
      return;
    case "shl":
      two("i32.shl");
      return;
    case "shr":
      two(type === "i32" ? "i32.shr_s" : "i32.shr_u");
      return;
    case "select":
      push(1);
      push(2);
      push(0);
      code.op("select");
      return;
    case "fma":
      if (relaxed) {
        // The fused operation exists for vectors only.
        for (const i of [0, 1, 2]) {
          push(i);
          code.simd("f32x4.splat");
        }
        code.simd("f32x4.relaxed_madd").lane("f32x4.extract_lane", 0);
        return;
      }
      two("f32.mul");
      push(2);
      code.op("f32.add");
      return;
    case "f32toi32":
    case "f32tou32":
      push(0);
      code.truncSat(op === "f32toi32");
      return;
    case "i32tof32":
      one("f32.convert_i32_s");
      return;
    case "u32tof32":
    case "booltof32":
      one("f32.convert_i32_u");
      return;
    case "bits_f32toi32":
      one("i32.reinterpret_f32");
      return;
    case "bits_i32tof32":
      one("f32.reinterpret_i32");
      return;
    case "booltoi32":
    case "i32tou32":
    case "u32toi32":
      push(0);
      return;
    default:
      throw new Error(`The WebAssembly emitter has no scalar form of "${op}" on ${type}.`);
  }
}

/** WebAssembly division traps for 0 and for -2^31 / -1; ours gives 0 and wraps. */
export function integerDivision(
  code: Code,
  op: "div" | "rem",
  type: Compute,
  push: Push,
  divisor: number | undefined,
): void {
  const name = `i32.${op}_${sign(type)}` as PlainOp;
  if (divisor !== undefined && (divisor | 0) !== 0 && (divisor | 0) !== -1) {
    push(0);
    push(1);
    code.op(name);
    return;
  }
  const a = code.local("i32");
  const b = code.local("i32");
  push(0);
  code.set(a);
  push(1);
  code.set(b);
  const guarded = (limit: number) =>
    code.i32(1).get(b).get(b).i32(limit).op("i32.add").i32(limit).op("i32.le_u").op("select");
  // With b in {0, -1} the quotient is a·b; unsigned and remainders need care only for zero.
  if (op === "div" && type === "i32") {
    code.get(a).get(b).op("i32.mul").get(a);
    guarded(1).op(name);
    code.get(b).i32(1).op("i32.add").i32(1).op("i32.le_u").op("select");
  } else {
    code.i32(0).get(a);
    guarded(0).op(name);
    code.get(b).op("i32.eqz").op("select");
  }
  code.free(a);
  code.free(b);
}

/** Vector forms with one instruction; the others are below. */
export function vectorOperation(
  code: Code,
  op: BasicOp,
  type: Compute,
  push: Push,
  relaxed: boolean,
): boolean {
  const float = type === "f32";
  const shape = float ? "f32x4" : "i32x4";
  const one = (name: SimdOp) => {
    push(0);
    code.simd(name);
    return true;
  };
  const two = (name: SimdOp) => {
    push(0);
    push(1);
    code.simd(name);
    return true;
  };
  if (compare[op]) {
    const ordered = op !== "eq" && op !== "ne" && !float;
    return two(`${shape}.${op}${ordered ? `_${sign(type)}` : ""}` as SimdOp);
  }
  if (float && floatUnary[op]) return one(`f32x4.${floatUnary[op]}` as SimdOp);
  if (arithmetic.has(op)) return two(`${shape}.${op}` as SimdOp);
  if (bitwise.has(op)) return two(`v128.${op}` as SimdOp);
  switch (op) {
    case "div":
      return float && two("f32x4.div");
    case "min":
    case "max":
      if (!float) return two(`i32x4.${op}_${sign(type)}` as SimdOp);
      // pmin(x, y) is y < x ? y : x and pmax(x, y) is x < y ? y : x: the definition with the arguments exchanged.
      push(1);
      push(0);
      code.simd(op === "min" ? "f32x4.pmin" : "f32x4.pmax");
      return true;
    case "neg":
      return one("i32x4.neg");
    case "abs":
      if (type === "i32") return one("i32x4.abs");
      push(0);
      return true;
    case "not":
      return one("v128.not");
    case "select":
      push(1);
      push(2);
      push(0);
      code.simd("v128.bitselect");
      return true;
    case "fma":
      if (relaxed) {
        push(0);
        push(1);
        push(2);
        code.simd("f32x4.relaxed_madd");
      } else {
        two("f32x4.mul");
        push(2);
        code.simd("f32x4.add");
      }
      return true;
    case "f32toi32":
      return one("i32x4.trunc_sat_f32x4_s");
    case "f32tou32":
      return one("i32x4.trunc_sat_f32x4_u");
    case "i32tof32":
      return one("f32x4.convert_i32x4_s");
    case "u32tof32":
      return one("f32x4.convert_i32x4_u");
    case "booltoi32":
      return one("i32x4.neg");
    case "booltof32": {
      push(0);
      const bits = 0x3f800000;
      code.v128([bits, bits, bits, bits]).simd("v128.and");
      return true;
    }
    case "bits_f32toi32":
    case "bits_i32tof32":
    case "i32tou32":
    case "u32toi32":
      push(0);
      return true;
    default:
      return false;
  }
}
