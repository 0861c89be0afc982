import type { Compute } from "../dtype.ts";
import type { BasicOp } from "../kernel/kernel.ts";
import { fused } from "./fma.ts";

/**
 * The domain of the maths functions: numbers (the reference) or values of a kernel under construction. Each function
 * is written once, against this interface, so that every back end gives the same bits.
 */
export interface Algebra<V> {
  constant(type: Compute, value: number): V;
  /** `type` is the type of the arguments (for select: of the last two). */
  op(type: Compute, op: BasicOp, ...args: V[]): V;
}

const bits = new ArrayBuffer(4);
const f32 = new Float32Array(bits);
const i32 = new Int32Array(bits);
const fround = Math.fround;

/** Rounds to the nearest integer, ties to even, as IEEE 754 and every vector unit do. */
function roundEven(x: number): number {
  const r = Math.round(x);
  return Math.abs(x % 1) === 0.5 && r % 2 !== 0 ? r - 1 : Object.is(r, 0) && x < 0 ? -0 : r;
}

type Scalar = (a: number, b: number, c: number) => number;
const comparisons: Record<string, Scalar> = {
  eq: (a, b) => +(a === b),
  ne: (a, b) => +(a !== b),
  lt: (a, b) => +(a < b),
  le: (a, b) => +(a <= b),
  gt: (a, b) => +(a > b),
  ge: (a, b) => +(a >= b),
  select: (c, a, b) => (c ? a : b),
  min: (a, b) => (a < b ? a : b),
  max: (a, b) => (a > b ? a : b),
};
const saturate = (x: number, low: number, high: number) =>
  x !== x ? 0 : Math.trunc(Math.min(high, Math.max(low, x)));

/** The basic operations on JavaScript numbers, by the type of their arguments. */
export const scalarOps: Record<Compute, Record<string, Scalar>> = {
  f32: {
    ...comparisons,
    add: (a, b) => fround(a + b),
    sub: (a, b) => fround(a - b),
    mul: (a, b) => fround(a * b),
    div: (a, b) => fround(a / b),
    fma: fused,
    neg: (a) => -a,
    abs: (a) => Math.abs(a),
    sqrt: (a) => fround(Math.sqrt(a)),
    floor: (a) => Math.floor(a),
    ceil: (a) => Math.ceil(a),
    trunc: (a) => Math.trunc(a),
    round: roundEven,
    f32toi32: (a) => saturate(a, -2147483648, 2147483647),
    f32tou32: (a) => saturate(a, 0, 4294967295),
    bits_f32toi32: (a) => {
      f32[0] = a;
      return i32[0];
    },
  },
  i32: {
    ...comparisons,
    add: (a, b) => (a + b) | 0,
    sub: (a, b) => (a - b) | 0,
    mul: (a, b) => Math.imul(a, b),
    div: (a, b) => (b === 0 ? 0 : (a / b) | 0),
    rem: (a, b) => (b === 0 ? 0 : (a % b) | 0),
    neg: (a) => -a | 0,
    abs: (a) => Math.abs(a) | 0,
    and: (a, b) => a & b,
    or: (a, b) => a | b,
    xor: (a, b) => a ^ b,
    not: (a) => ~a,
    shl: (a, b) => a << (b & 31),
    shr: (a, b) => a >> (b & 31),
    i32tof32: (a) => fround(a),
    i32tou32: (a) => a >>> 0,
    bits_i32tof32: (a) => {
      i32[0] = a;
      return f32[0];
    },
  },
  u32: {
    ...comparisons,
    add: (a, b) => (a + b) >>> 0,
    sub: (a, b) => (a - b) >>> 0,
    mul: (a, b) => Math.imul(a, b) >>> 0,
    div: (a, b) => (b === 0 ? 0 : Math.floor(a / b)),
    rem: (a, b) => (b === 0 ? 0 : a % b),
    neg: (a) => -a >>> 0,
    abs: (a) => a,
    and: (a, b) => (a & b) >>> 0,
    or: (a, b) => (a | b) >>> 0,
    xor: (a, b) => (a ^ b) >>> 0,
    not: (a) => ~a >>> 0,
    shl: (a, b) => (a << (b & 31)) >>> 0,
    shr: (a, b) => a >>> (b & 31),
    u32tof32: (a) => fround(a),
    u32toi32: (a) => a | 0,
  },
  bool: {
    ...comparisons,
    and: (a, b) => a & b,
    or: (a, b) => a | b,
    xor: (a, b) => a ^ b,
    not: (a) => 1 - a,
    booltoi32: (a) => a,
    booltof32: (a) => a,
  },
};

/** The algebra of plain numbers: simple and slow. */
export const numbers: Algebra<number> = {
  constant: (type, value) =>
    type === "f32" ? fround(value) : type === "i32" ? value | 0 : type === "u32" ? value >>> 0 : +!!value,
  op: (type, op, a, b = 0, c = 0) => scalarOps[type][op](a, b, c),
};
