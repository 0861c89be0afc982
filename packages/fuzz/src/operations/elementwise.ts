import { all, numeric, ref } from "../builder.ts";
import type { DType } from "../internals.ts";
import { args, type Maker } from "./maker.ts";

const unary =
  (types: readonly DType[]): Maker =>
  (b) =>
    args(ref(b.any(types)));
const binary =
  (types: readonly DType[]): Maker =>
  (b) => {
    const x = b.any(types);
    const y = b.beside(x.tensor);
    return b.r.chance(0.5) ? args(ref(x), y) : args(y, ref(x));
  };
const list = (names: string, make: Maker) => Object.fromEntries(names.split(" ").map((n) => [n, make]));
const setting =
  (...values: number[]): Maker =>
  (b) =>
    b.r.chance(0.5) ? args(ref(b.float())) : args(ref(b.float()), b.r.pick(values));

/** Elementwise operations. The first ones map integers to integers. */
export const tidyElementwise: Readonly<Record<string, Maker>> = {
  ...list("add sub mul maximum minimum", binary(numeric)),
  ...list("neg abs sign relu", unary(["f32", "i32"])),
  ...list("floor ceil trunc round", unary(["f32"])),
  ...list("eq ne lt le gt ge", binary(all)),
  ...list("and or xor", binary(["bool", "i32", "u32", "u8"])),
  ...list("shl shr", (b) => {
    const x = b.any(["i32", "u32"]);
    return args(ref(x), b.beside(x.tensor));
  }),
  not: unary(["bool", "i32", "u32"]),
  square: (b) => args(ref(b.any(numeric))),
  where: (b) => {
    const x = b.any(all);
    const other = b.beside(x.tensor);
    const c = b.find(
      (t) => t.dtype === "bool" && b.r.chance(0.7) && String(t.shape) === String(x.tensor.shape),
    );
    const condition =
      c ??
      b.source(
        x.tensor.shape.map((d) => (b.r.chance(0.2) ? 1 : d)),
        "bool",
      );
    return b.r.chance(0.5) ? args(ref(condition), ref(x), other) : args(ref(condition), other, ref(x));
  },
  cast: (b) => args(ref(b.any(all)), b.r.pick(all)),
  clamp: (b) => {
    const x = b.any(numeric);
    return args(ref(x), b.r.chance(0.7) ? 0 : b.beside(x.tensor), b.r.chance(0.7) ? 2 : b.beside(x.tensor));
  },
  mod: binary(numeric),
  huber: setting(1, 2),
  leakyRelu: setting(0.5, 2),
};

export const elementwise: Readonly<Record<string, Maker>> = {
  ...tidyElementwise,
  div: binary(numeric),
  ...list(
    "sqrt rsqrt reciprocal exp expm1 log log1p sin cos tanh sigmoid erf lgamma digamma trigamma erfInverse silu softplus logSigmoid mish",
    unary(["f32"]),
  ),
  gelu: (b) => args(ref(b.float()), b.r.pick(["tanh", "erf"])),
  elu: setting(1, 0.5),
  pow: (b) => {
    const x = b.float();
    return args(ref(x), b.r.chance(0.5) ? b.r.pick([0.5, -1, 1, 2, 3, 2.5, 0, -2]) : b.beside(x.tensor));
  },
  bitcast: (b) => args(ref(b.any(["f32", "i32", "u32"])), b.r.pick(["f32", "i32", "u32"])),
};
