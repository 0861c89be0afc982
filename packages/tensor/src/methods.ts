import * as arithmetic from "./ops/arithmetic.ts";
import * as composite from "./ops/composite.ts";
import * as indexing from "./ops/indexing.ts";
import * as linear from "./ops/linear.ts";
import * as movement from "./ops/movement.ts";
import * as reduce from "./ops/reduce.ts";
import { Tensor } from "./tensor.ts";
import { stopGradient } from "./transform/custom.ts";

/** Functions that are also methods: `x.add(y)` is `add(x, y)`. Each takes the tensor as its first argument. */
const methods = {
  add: arithmetic.add,
  sub: arithmetic.sub,
  mul: arithmetic.mul,
  div: arithmetic.div,
  mod: arithmetic.mod,
  pow: arithmetic.pow,
  maximum: arithmetic.maximum,
  minimum: arithmetic.minimum,
  clamp: arithmetic.clamp,
  and: arithmetic.and,
  or: arithmetic.or,
  xor: arithmetic.xor,
  not: arithmetic.not,
  eq: arithmetic.eq,
  ne: arithmetic.ne,
  lt: arithmetic.lt,
  le: arithmetic.le,
  gt: arithmetic.gt,
  ge: arithmetic.ge,
  neg: arithmetic.neg,
  abs: arithmetic.abs,
  sign: arithmetic.sign,
  sqrt: arithmetic.sqrt,
  rsqrt: arithmetic.rsqrt,
  square: arithmetic.square,
  reciprocal: arithmetic.reciprocal,
  floor: arithmetic.floor,
  ceil: arithmetic.ceil,
  round: arithmetic.round,
  trunc: arithmetic.trunc,
  exp: arithmetic.exp,
  expm1: arithmetic.expm1,
  log: arithmetic.log,
  log1p: arithmetic.log1p,
  sin: arithmetic.sin,
  cos: arithmetic.cos,
  tanh: arithmetic.tanh,
  sigmoid: arithmetic.sigmoid,
  erf: arithmetic.erf,
  relu: arithmetic.relu,
  cast: arithmetic.cast,
  bitcast: arithmetic.bitcast,
  silu: composite.silu,
  gelu: composite.gelu,
  softplus: composite.softplus,
  softmax: composite.softmax,
  logSoftmax: composite.logSoftmax,
  logSumExp: composite.logSumExp,
  sum: reduce.sum,
  mean: reduce.mean,
  max: reduce.max,
  min: reduce.min,
  prod: reduce.prod,
  variance: reduce.variance,
  std: reduce.std,
  norm: reduce.norm,
  argmax: reduce.argmax,
  argmin: reduce.argmin,
  cumsum: reduce.cumsum,
  cumprod: reduce.cumprod,
  matmul: linear.matmul,
  dot: linear.dot,
  reshape: movement.reshape,
  broadcastTo: movement.broadcastTo,
  permute: movement.permute,
  transpose: movement.transpose,
  slice: movement.slice,
  flip: movement.flip,
  pad: movement.pad,
  split: movement.split,
  expandDims: movement.expandDims,
  squeeze: movement.squeeze,
  gather: indexing.gather,
  take: indexing.take,
  sort: indexing.sort,
  argsort: indexing.argsort,
  topK: indexing.topK,
  oneHot: indexing.oneHot,
  stopGradient,
};

/** A function without its first argument, which is the tensor that the method is called on. */
type Method<F> = F extends (first: Tensor, ...rest: infer A) => infer R ? (...rest: A) => R : never;
type Methods = { [K in keyof typeof methods]: Method<(typeof methods)[K]> };

declare module "./tensor.ts" {
  // Merged into the class, whose methods are assigned below.
  interface Tensor extends Methods {}
}

for (const [name, f] of Object.entries(methods) as [string, (...args: unknown[]) => unknown][]) {
  Object.defineProperty(Tensor.prototype, name, {
    configurable: true,
    writable: true,
    value(this: Tensor, ...rest: unknown[]) {
      return f(this, ...rest);
    },
  });
}
