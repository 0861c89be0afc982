import type { Algebra } from "./algebra.ts";
import { tools } from "./functions.ts";

/** An angle as quarter turns (i32, of which the last two bits matter) and the rest, at most an eighth of a turn to either side. */
interface Reduced<V> {
  readonly quarters: V;
  readonly rest: V;
}

/** Up to this angle, quarter turns in three parts can be subtracted in turn without losing bits. */
const nearest = 8192;

/** sin or cos; `near` guarantees that angles are at most 8192. */
export function sine<V>(a: Algebra<V>, x: V, kind: "sin" | "cos", near: boolean): V {
  const { f, i, add, sub, mul, gt, select, poly } = tools(a);
  let { quarters, rest } = reduceNear(a, x);
  if (!near) {
    const far = reduceFar(a, x);
    const isFar = gt(a.op("f32", "abs", x), f(nearest));
    quarters = a.op("i32", "select", isFar, far.quarters, quarters);
    rest = select(isFar, far.rest, rest);
  }
  const q = a.op("i32", "add", quarters, i(kind === "sin" ? 0 : 1));
  const z = mul(rest, rest);
  const s = add(mul(mul(poly(z, -1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1), z), rest), rest);
  const c = add(
    sub(
      mul(mul(poly(z, 2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2), z), z),
      mul(z, f(0.5)),
    ),
    f(1),
  );
  const odd = a.op("i32", "ne", a.op("i32", "and", q, i(1)), i(0));
  const negative = a.op("i32", "ne", a.op("i32", "and", q, i(2)), i(0));
  const v = select(odd, c, s);
  return select(negative, a.op("f32", "neg", v), v);
}

/** Cody and Waite (1980): π/2 in three parts whose multiples are exact. */
function reduceNear<V>(a: Algebra<V>, x: V): Reduced<V> {
  const { f, sub, mul } = tools(a);
  const n = a.op("f32", "round", mul(x, f(0.6366197723675814)));
  const rest = sub(
    sub(sub(x, mul(n, f(1.5703125))), mul(n, f(4.837512969970703125e-4))),
    mul(n, f(7.54978995489188216e-8)),
  );
  return { quarters: a.op("f32", "f32toi32", n), rest };
}

/** Bits of 2/π, after twelve zeros. */
const twoOverPi = [0x000a2f98, 0x36e4e441, 0x529fc275, 0x7d1f534d, 0xdc0db629, 0x5993c439, 0x041fe516];

/**
 * Payne and Hanek (1983): only the part of m · 2ᵉ · 2/π below four quarter turns matters, so only 96 of the bits of 2/π, from a
 * position that depends on the exponent. For numbers above 8192; infinities give NaN.
 */
function reduceFar<V>(a: Algebra<V>, x: V): Reduced<V> {
  const { f, i, add, mul, lt, select } = tools(a);
  const u = (v: number) => a.constant("u32", v);
  const op = (name: "add" | "and" | "or" | "mul" | "shl" | "shr", x: V, y: V) => a.op("u32", name, x, y);
  const bits = a.op("i32", "i32tou32", a.op("f32", "bits_f32toi32", x));
  const from = a.op("u32", "sub", op("and", op("shr", bits, u(23)), u(255)), u(140));
  const mantissa = op("or", op("and", bits, u(0x7fffff)), u(0x800000));

  // The window: whole words first, then bits.
  const has = (bit: number) => a.op("u32", "ne", op("and", from, u(bit)), u(0));
  const select32 = (c: V, x: V, y: V) => a.op("u32", "select", c, x, y);
  const [by64, by32] = [has(64), has(32)];
  const longer = [0, 1, 2, 3, 4].map((k) => select32(by64, u(twoOverPi[k + 2]), u(twoOverPi[k])));
  const words = [0, 1, 2, 3].map((k) => select32(by32, longer[k + 1], longer[k]));
  const left = op("and", from, u(31));
  const right = a.op("u32", "sub", u(31), left);
  // In two shifts, since a shift by 32 would be a shift by 0.
  const [w0, w1, w2] = [0, 1, 2].map((k) =>
    op("or", op("shl", words[k], left), op("shr", op("shr", words[k + 1], u(1)), right)),
  );

  const middle = op("add", op("mul", mantissa, w1), upper(a, mantissa, w2));
  const carry = a.op("bool", "booltoi32", a.op("u32", "lt", middle, op("mul", mantissa, w1)));
  const top = op(
    "add",
    op("add", op("mul", mantissa, w0), upper(a, mantissa, w1)),
    a.op("i32", "i32tou32", carry),
  );

  // Two bits of quarters, and a fraction that is rounded to the nearer side by reading it as a signed number.
  const fraction = a.op("u32", "u32toi32", op("or", op("shl", top, u(2)), op("shr", middle, u(30))));
  const below = a.op("i32", "lt", fraction, i(0));
  const quarters = a.op(
    "i32",
    "add",
    a.op("u32", "u32toi32", op("shr", top, u(30))),
    a.op("bool", "booltoi32", below),
  );
  const small = mul(a.op("u32", "u32tof32", op("shl", middle, u(2))), f(2 ** -32));
  const rest = mul(add(a.op("i32", "i32tof32", fraction), small), f((Math.PI / 2) * 2 ** -32));
  const negative = lt(x, f(0));
  return {
    quarters: a.op("i32", "select", negative, a.op("i32", "neg", quarters), quarters),
    rest: add(select(negative, a.op("f32", "neg", rest), rest), mul(x, f(0))),
  };
}

/** The upper half of a product of two u32. */
function upper<V>(a: Algebra<V>, x: V, y: V): V {
  const u = (v: number) => a.constant("u32", v);
  const op = (name: "add" | "and" | "mul" | "shr", x: V, y: V) => a.op("u32", name, x, y);
  const low = (v: V) => op("and", v, u(65535));
  const high = (v: V) => op("shr", v, u(16));
  const mixed = op("add", op("mul", high(x), low(y)), high(op("mul", low(x), low(y))));
  const other = op("add", op("mul", low(x), high(y)), low(mixed));
  return op("add", op("add", op("mul", high(x), high(y)), high(mixed)), high(other));
}
