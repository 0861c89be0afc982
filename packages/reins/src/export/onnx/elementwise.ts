import type { DType, Step } from "../graph.ts";
import { unsupported } from "./refusal.ts";
import type { Writer } from "./writer.ts";

/** Elementwise operations with an ONNX equivalent, on f32 and i32. */
const same: { readonly [op: string]: string } = {
  add: "Add",
  sub: "Sub",
  mul: "Mul",
  div: "Div",
  pow: "Pow",
  maximum: "Max",
  minimum: "Min",
  neg: "Neg",
  abs: "Abs",
  sign: "Sign",
  sqrt: "Sqrt",
  reciprocal: "Reciprocal",
  floor: "Floor",
  ceil: "Ceil",
  round: "Round",
  exp: "Exp",
  log: "Log",
  tanh: "Tanh",
  sigmoid: "Sigmoid",
  erf: "Erf",
  sin: "Sin",
  cos: "Cos",
  lt: "Less",
  le: "LessOrEqual",
  gt: "Greater",
  ge: "GreaterOrEqual",
  eq: "Equal",
};

/** Operations on booleans. */
const logic: { readonly [op: string]: string } = { not: "Not", and: "And", or: "Or", xor: "Xor" };

/** Operations that do not change whole numbers. */
const roundings = ["floor", "ceil", "round", "trunc"];

/** Writes an elementwise operation and returns the name of its result; undefined for other operations. */
export function elementwise(w: Writer, step: Step): string | undefined {
  const { op, dtype } = step;
  const from = w.operands(step);
  const type = (n: number) => w.steps[n].dtype;
  if (op === "cast") return castOf(w, w.at(from[0]), type(from[0]), dtype);
  if (op === "where") return whereOf(w, step, from);
  const types = from.map(type);
  if (Object.hasOwn(logic, op) && types.every((t) => t === "bool"))
    return w.add(
      logic[op],
      from.map((n) => w.at(n)),
    );
  if (types.includes("u32") || dtype === "u32")
    return isElement(op) ? unsupported(w.source, `${op} of u32`) : undefined;
  // Bytes and booleans are computed as i32.
  const wide = (t: DType): DType => (t === "f32" ? "f32" : "i32");
  const args = from.map((n) => w.cast(w.at(n), type(n), wide(type(n))));
  const made = computed(w, op, args, wide(types[0] ?? dtype));
  if (made === undefined) return undefined;
  const isTruth = ["lt", "le", "gt", "ge", "eq", "ne"].includes(op);
  return isTruth ? made : castOf(w, made, wide(types[0]), dtype);
}

const isElement = (op: string) => Object.hasOwn(same, op) || Object.hasOwn(logic, op);

function computed(w: Writer, op: string, args: readonly string[], type: DType): string | undefined {
  const [a, b] = args;
  const one = () => w.constant(1, type);
  if (type !== "f32" && roundings.includes(op)) return a;
  if (Object.hasOwn(same, op)) return w.add(same[op], args);
  switch (op) {
    case "ne":
      return w.add("Not", [w.add("Equal", args)]);
    case "relu":
      return type === "f32" ? w.add("Relu", [a]) : w.add("Max", [a, w.constant(0, type)]);
    case "rsqrt":
      return w.add("Reciprocal", [w.add("Sqrt", [a])]);
    case "expm1":
      return w.add("Sub", [w.add("Exp", [a]), one()]);
    case "log1p":
      return w.add("Log", [w.add("Add", [a, one()])]);
    case "trunc":
      return w.add("Mul", [w.add("Sign", [a]), w.add("Floor", [w.add("Abs", [a])])]);
    case "mod":
      if (type !== "f32") return w.add("Mod", args);
      // With the sign of the divisor, as in Python.
      return w.add("Sub", [a, w.add("Mul", [w.add("Floor", [w.add("Div", [a, b])]), b])]);
    default:
      return undefined;
  }
}

function castOf(w: Writer, name: string, from: DType, to: DType): string {
  if (from === "u32" || to === "u32") return unsupported(w.source, "u32 numbers");
  // Casts to u8 keep the lowest byte.
  if (to === "u8" && from === "f32") return w.cast(w.cast(name, "f32", "i32"), "i32", "u8");
  return w.cast(name, from, to);
}

/** Where; runtimes support it for numbers only, so booleans use logic. */
function whereOf(w: Writer, { dtype }: Step, from: readonly number[]): string {
  const [c, a, b] = from.map((n) => w.at(n));
  if (dtype === "u32") return unsupported(w.source, "u32 numbers");
  if (dtype !== "bool") return w.add("Where", [c, a, b]);
  return w.add("Or", [w.add("And", [c, a]), w.add("And", [w.add("Not", [c]), b])]);
}
