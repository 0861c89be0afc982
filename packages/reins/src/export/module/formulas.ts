import type { DType } from "../graph.ts";

/** JavaScript of an elementwise operation; typed arrays round the result. `type` is that of the last argument. */
type Formula = (args: readonly string[], type: DType) => string;

const call =
  (name: string): Formula =>
  ([a]) =>
    `Math.${name}(${a})`;
const between =
  (sign: string): Formula =>
  ([a, b]) =>
    `${a} ${sign} ${b}`;
const isReal = (type: DType) => type === "f32";

/** Supported elementwise operations. */
export const formulas: { readonly [op: string]: Formula } = {
  add: between("+"),
  sub: between("-"),
  mul: ([a, b], type) => (isReal(type) ? `${a} * ${b}` : `Math.imul(${a}, ${b})`),
  div: ([a, b], type) => (isReal(type) ? `${a} / ${b}` : `${b} === 0 ? 0 : Math.trunc(${a} / ${b})`),
  mod: ([a, b], type) => {
    const rest = `${a} - Math.floor(${a} / ${b}) * ${b}`;
    return isReal(type) ? rest : `${b} === 0 ? 0 : ${rest}`;
  },
  pow: ([a, b]) => `${a} ** ${b}`,
  maximum: ([a, b]) => `Math.max(${a}, ${b})`,
  minimum: ([a, b]) => `Math.min(${a}, ${b})`,
  where: ([c, a, b]) => `${c} ? ${a} : ${b}`,
  neg: ([a]) => `-${a}`,
  abs: call("abs"),
  sign: call("sign"),
  sqrt: call("sqrt"),
  rsqrt: ([a]) => `1 / Math.sqrt(${a})`,
  reciprocal: ([a]) => `1 / ${a}`,
  relu: ([a]) => `0 > ${a} ? 0 : ${a}`,
  floor: call("floor"),
  ceil: call("ceil"),
  trunc: call("trunc"),
  round: ([a]) => `even(${a})`,
  eq: between("==="),
  ne: between("!=="),
  lt: between("<"),
  le: between("<="),
  gt: between(">"),
  ge: between(">="),
  not: ([a], type) => (type === "bool" ? `1 - ${a}` : `~${a}`),
  and: between("&"),
  or: between("|"),
  xor: between("^"),
  shl: between("<<"),
  shr: ([a, b], type) => (type === "u32" ? `${a} >>> ${b}` : `${a} >> ${b}`),
  exp: call("exp"),
  expm1: call("expm1"),
  log: call("log"),
  log1p: call("log1p"),
  tanh: call("tanh"),
  sigmoid: ([a]) => `1 / (1 + Math.exp(-${a}))`,
  erf: ([a]) => `erf(${a})`,
  sin: call("sin"),
  cos: call("cos"),
};

/** Casts a number. */
export function castFormula(a: string, from: DType, to: DType): string {
  if (to === "bool") return `${a} !== 0`;
  return from === "f32" && to !== "f32" ? `Math.trunc(${a})` : a;
}
