import type { DType, Tensor } from "../index.ts";
import * as o from "../index.ts";
import { Generator } from "./generator.ts";

/** Difficult floating-point numbers: zeros, infinities, NaN, denormals, the ends of the range, halves, edges of the polynomials. */
const floats = [
  0,
  -0,
  1,
  -1,
  0.5,
  -0.5,
  1.5,
  -1.5,
  2.5,
  -2.5,
  0.49999997,
  8388607.5,
  8388609,
  2147483520,
  -2147483648,
  4294967040,
  1e10,
  -1e10,
  Infinity,
  -Infinity,
  Number.NaN,
  1.4e-45,
  -1.4e-45,
  1.1754942e-38,
  -1.1754942e-38,
  1.17549435e-38,
  3.4028235e38,
  -3.4028235e38,
  0.35,
  -0.35,
  88.72284,
  88.7,
  89,
  -87.33655,
  -103.97,
  -104,
  7.998811,
  -8,
  4,
  0.927734375,
  6,
  7,
  5.9999995,
  1e-8,
  -1e-8,
  1e-20,
  Math.SQRT1_2,
  Math.PI / 2,
  -Math.PI,
  100000,
  16777216,
  16777215,
  0.99999994,
  1.0000001,
  -0.99999994,
];
const integers = [
  0, 1, -1, 2, -2, 3, 7, -7, 31, 32, 33, 255, 256, 65535, 2147483647, -2147483648, -2147483647, 1000003,
  -1000003,
];

/** Special values followed by `count` random ones from the whole range of exponents. */
export function specialFloats(count = 150): number[] {
  const r = new Generator(99);
  const wide = Array.from({ length: count }, () => (r.chance(0.5) ? 1 : -1) * 2 ** r.between(-40, 40));
  const usual = Array.from({ length: count }, () => r.between(-8, 8));
  return [...floats, ...wide, ...usual].map(Math.fround);
}

function specialIntegers(dtype: DType): number[] {
  const r = new Generator(98);
  const some = [
    ...integers,
    ...Array.from({ length: 40 }, () => r.whole(-2147483648, 2147483647)),
    ...Array.from({ length: 40 }, () => r.whole(-9, 9)),
  ];
  if (dtype === "i32") return some;
  return dtype === "u32" ? some.map((v) => v >>> 0) : some.map((v) => v & (dtype === "bool" ? 1 : 255));
}

/** Values of one type: for one operand all of them; for two, every pair of a shorter list. */
export function operands(dtype: DType, count: 1 | 2): Tensor[] {
  const values = dtype === "f32" ? specialFloats(count === 1 ? 150 : 10) : specialIntegers(dtype);
  if (count === 1) return [o.tensor(values, { dtype })];
  const left = values.flatMap((v) => values.map(() => v));
  const right = values.flatMap(() => values);
  return [o.tensor(left, { dtype }), o.tensor(right, { dtype })];
}
