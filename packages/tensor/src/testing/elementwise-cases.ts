import type { DType, Tensor } from "../index.ts";
import * as o from "../index.ts";

/** An elementwise operation, the types to test it on, and its number of operands. */
export interface ElementwiseCase {
  readonly op: string;
  readonly types: readonly DType[];
  readonly count: 1 | 2;
  readonly f: (...xs: Tensor[]) => Tensor;
}
const unary = (op: string, f: (x: Tensor) => Tensor, types: DType[] = ["f32"]): ElementwiseCase => ({
  op,
  types,
  count: 1,
  f: f as ElementwiseCase["f"],
});
const binary = (op: string, f: (x: Tensor, y: Tensor) => Tensor, types: DType[]): ElementwiseCase => ({
  op,
  types,
  count: 2,
  f: f as ElementwiseCase["f"],
});
const numeric: DType[] = ["f32", "i32", "u32", "u8"];

/** Every elementwise operation. */
export const elementwiseCases: readonly ElementwiseCase[] = [
  ...(
    [
      "sqrt",
      "rsqrt",
      "reciprocal",
      "floor",
      "ceil",
      "trunc",
      "round",
      "exp",
      "expm1",
      "log",
      "log1p",
      "sin",
      "cos",
      "tanh",
      "sigmoid",
      "erf",
      "lgamma",
      "digamma",
      "trigamma",
    ] as const
  ).map((op) => unary(op, o[op])),
  ...(["neg", "abs", "sign", "relu"] as const).map((op) => unary(op, o[op], ["f32", "i32"])),
  unary("not", o.not, ["bool", "i32", "u32"]),
  ...(["add", "sub", "mul", "div", "maximum", "minimum", "mod"] as const).map((op) =>
    binary(op, o[op], numeric),
  ),
  ...(["and", "or", "xor"] as const).map((op) => binary(op, o[op], ["bool", "i32", "u32", "u8"])),
  ...(["shl", "shr"] as const).map((op) => binary(op, o[op], ["i32", "u32"])),
  ...(["eq", "ne", "lt", "le", "gt", "ge"] as const).map((op) => binary(op, o[op], [...numeric, "bool"])),
  binary("pow", o.pow, ["f32"]),
  binary("where", (a, b) => o.where(o.lt(a, b), a, b), numeric),
  ...numeric.map((to) => unary("cast", (x) => o.cast(x, to), [...numeric, "bool"])),
  unary("cast", (x) => o.cast(x, "bool"), numeric),
  ...(["f32", "i32", "u32"] as const).map((to) =>
    unary(
      "bitcast",
      (x) => (x.dtype === to ? o.bitcast(o.bitcast(x, to === "u32" ? "i32" : "u32"), to) : o.bitcast(x, to)),
      ["f32", "i32", "u32"],
    ),
  ),
  unary("threefry", (x) => o.random.bits(o.slice(x, [[0, 2]]), [257]), ["u32"]),
];
