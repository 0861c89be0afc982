import type { DType } from "../dtype.ts";
import type { NodeOf } from "../graph.ts";
import type { Elementwise } from "../primitives.ts";
import { sameShape } from "../shape.ts";
import type { Form } from "./form.ts";

type Kind = (values: readonly Form[], node: NodeOf<keyof Elementwise>) => DType | undefined;

const numbers: readonly DType[] = ["f32", "i32", "u32", "u8"];
const words: readonly DType[] = ["i32", "u32", "u8", "bool"];

/** A rule for `count` arguments of one of these types, which is also the type of the result. */
const of =
  (count: number, types: readonly DType[] = numbers): Kind =>
  (values) => {
    const [{ dtype } = { dtype: undefined }] = values;
    const alike = dtype && types.includes(dtype) && values.every((x) => x.dtype === dtype);
    return alike && values.length === count ? dtype : undefined;
  };
const signed = of(1, ["f32", "i32"]);
const two = of(2);
const real = of(1, ["f32"]);
const bits = of(2, words);
const shifts = of(2, ["i32", "u32"]);
const compared: Kind = (values, node) =>
  of(2, [...numbers, "bool"])(values, node) === undefined ? undefined : "bool";

/** The argument types of each elementwise operation, and its result type. */
const kinds: { readonly [K in keyof Elementwise]: Kind } = {
  ...{ add: two, sub: two, mul: two, div: two, mod: two, maximum: two, minimum: two },
  ...{ pow: of(2, ["f32"]), neg: signed, abs: signed, sign: signed, relu: signed },
  ...{ sqrt: real, rsqrt: real, reciprocal: real, floor: real, ceil: real, trunc: real, round: real },
  ...{ exp: real, expm1: real, log: real, log1p: real, tanh: real, sigmoid: real, sin: real, cos: real },
  ...{ erf: real, lgamma: real, digamma: real, trigamma: real },
  ...{ eq: compared, ne: compared, lt: compared, le: compared, gt: compared, ge: compared },
  ...{ not: of(1, ["bool", "i32", "u32"]), and: bits, or: bits, xor: bits, shl: shifts, shr: shifts },
  where: ([condition, ...values], node) =>
    condition?.dtype === "bool" ? of(2, [...numbers, "bool"])(values, node) : undefined,
  cast: (values, { attributes }) =>
    values.length === 1 && "to" in attributes && [...numbers, "bool"].includes(attributes.to)
      ? attributes.to
      : undefined,
  bitcast: (values, node) => {
    const types: readonly DType[] = ["f32", "i32", "u32"];
    const to = "to" in node.attributes ? node.attributes.to : undefined;
    return of(1, types)(values, node) && to && types.includes(to) ? to : undefined;
  },
  threefry: (values, node) =>
    "word" in node.attributes && (node.attributes.word === 0 || node.attributes.word === 1)
      ? of(4, ["u32"])(values, node)
      : undefined,
};

type ElementRules = {
  readonly [K in keyof Elementwise]: (inputs: readonly Form[], node: NodeOf<K>) => Form | undefined;
};

/** All arguments of an elementwise operation have one shape, which is that of the result. */
export const elementRules = Object.fromEntries(
  Object.entries(kinds).map(([op, kind]) => [
    op,
    (inputs: readonly Form[], node: NodeOf<keyof Elementwise>) => {
      const [first] = inputs;
      if (!first || !inputs.every((x) => sameShape(x.shape, first.shape))) return undefined;
      const dtype = kind(inputs, node);
      return dtype && { shape: first.shape, dtype };
    },
  ]),
) as ElementRules;
