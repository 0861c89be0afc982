import type { Algebra } from "./algebra.ts";

/**
 * Elementary functions on f32, written in basic operations so that every back end computes the same bits. Polynomials are
 * minimax fits as published in Cephes (exp, log, sin, cos) and used by Eigen (tanh); errors are a few units in the last place.
 */
export function tools<V>(a: Algebra<V>) {
  const f = (v: number) => a.constant("f32", v);
  const i = (v: number) => a.constant("i32", v);
  return {
    f,
    i,
    add: (x: V, y: V) => a.op("f32", "add", x, y),
    sub: (x: V, y: V) => a.op("f32", "sub", x, y),
    mul: (x: V, y: V) => a.op("f32", "mul", x, y),
    div: (x: V, y: V) => a.op("f32", "div", x, y),
    lt: (x: V, y: V) => a.op("f32", "lt", x, y),
    gt: (x: V, y: V) => a.op("f32", "gt", x, y),
    eq: (x: V, y: V) => a.op("f32", "eq", x, y),
    select: (c: V, x: V, y: V) => a.op("f32", "select", c, x, y),
    /** Clamps and propagates NaN: the constant comes first in `a > b ? a : b`. */
    clamp: (x: V, low: number, high: number) => a.op("f32", "min", f(high), a.op("f32", "max", f(low), x)),
    /** Horner's rule, highest coefficient first. */
    poly: (x: V, ...coefficients: number[]) => {
      let r = f(coefficients[0]);
      for (const c of coefficients.slice(1)) r = a.op("f32", "add", a.op("f32", "mul", r, x), f(c));
      return r;
    },
    /** 2ⁿ for an i32 n from -126 to 127. */
    power2: (n: V) => a.op("i32", "bits_i32tof32", a.op("i32", "shl", a.op("i32", "add", n, i(127)), i(23))),
  };
}

export function exp<V>(a: Algebra<V>, x: V): V {
  const { f, i, add, sub, mul, clamp, poly, power2 } = tools(a);
  // At the lower bound both powers of two below are 0. Results would round to 0 from -104 on, but underflow takes x86 processors
  // over a hundred cycles, and the masked scores of attention all lie there.
  const c = clamp(x, -176, 89);
  const n = a.op("f32", "round", mul(c, f(1.4426950408889634)));
  const r = sub(sub(c, mul(n, f(0.693359375))), mul(n, f(-2.12194440054690583e-4)));
  const p = poly(
    r,
    1.98756915e-4,
    1.3981999507e-3,
    8.3334519073e-3,
    4.1665795894e-2,
    1.6666665459e-1,
    5.0000001201e-1,
  );
  const e = add(add(mul(p, mul(r, r)), r), f(1));
  // In two factors, so that results below the normal range and at its top are correct.
  const k = a.op("f32", "f32toi32", n);
  const half = a.op("i32", "shr", k, i(1));
  return mul(mul(e, power2(half)), power2(a.op("i32", "sub", k, half)));
}

export function log<V>(a: Algebra<V>, x: V): V {
  const { f, i, add, sub, mul, lt, gt, eq, select, poly } = tools(a);
  const tiny = lt(x, f(1.17549435e-38));
  const scaled = select(tiny, mul(x, f(8388608)), x);
  const bits = a.op("f32", "bits_f32toi32", scaled);
  const exponent = a.op("i32", "sub", a.op("i32", "and", a.op("i32", "shr", bits, i(23)), i(255)), i(126));
  const mantissa = a.op(
    "i32",
    "bits_i32tof32",
    a.op("i32", "or", a.op("i32", "and", bits, i(0x7fffff)), i(0x3f000000)),
  );
  const small = lt(mantissa, f(0.7071067811865476));
  const e = sub(sub(a.op("i32", "i32tof32", exponent), select(tiny, f(23), f(0))), select(small, f(1), f(0)));
  const m = sub(select(small, add(mantissa, mantissa), mantissa), f(1));
  const z = mul(m, m);
  const p = poly(
    m,
    7.0376836292e-2,
    -1.151461031e-1,
    1.167699874e-1,
    -1.2420140846e-1,
    1.4249322787e-1,
    -1.6668057665e-1,
    2.0000714765e-1,
    -2.4999993993e-1,
    3.3333331174e-1,
  );
  const y = sub(add(mul(mul(p, z), m), mul(e, f(-2.1219444e-4))), mul(z, f(0.5)));
  const r = add(add(m, y), mul(e, f(0.693359375)));
  const finite = select(gt(x, f(3.4028235e38)), x, r);
  const positive = select(lt(x, f(0)), f(Number.NaN), select(eq(x, f(0)), f(-Infinity), finite));
  return select(eq(x, x), positive, x);
}

export function tanh<V>(a: Algebra<V>, x: V): V {
  const { mul, div, clamp, poly } = tools(a);
  // The first x at which the quotient is exactly 1; tanh is 1 - 2.3e-7 there. A value below 1 would leave a slope of 1 - y² at every large x.
  const c = clamp(x, -7.998830318450928, 7.998830318450928);
  const z = mul(c, c);
  const p = poly(
    z,
    -2.76076847742355e-16,
    2.00018790482477e-13,
    -8.60467152213735e-11,
    5.12229709037114e-8,
    1.48572235717979e-5,
    6.37261928875436e-4,
    4.89352455891786e-3,
  );
  const q = poly(z, 1.19825839466702e-6, 1.18534705686654e-4, 2.268434632439e-3, 4.89352518554385e-3);
  return div(mul(c, p), q);
}

export function sigmoid<V>(a: Algebra<V>, x: V): V {
  const { f, add, div } = tools(a);
  return div(f(1), add(f(1), exp(a, a.op("f32", "neg", x))));
}

/** Kahan's correction: log(1 + x) loses the low bits of x, and (1 + x) - 1 tells which ones. */
export function log1p<V>(a: Algebra<V>, x: V): V {
  const { f, add, sub, mul, div, eq, gt, select } = tools(a);
  const u = add(f(1), x);
  const l = log(a, u);
  // Adds what rounding removed from u, except where the 1 is lost entirely and the product would overflow.
  const r = div(mul(l, x), sub(u, f(1)));
  return select(eq(u, f(1)), x, select(gt(x, f(1e30)), l, r));
}

export function expm1<V>(a: Algebra<V>, x: V): V {
  const { f, sub, mul, add, lt, select, poly } = tools(a);
  // The series of exp without its 1, near zero; the difference elsewhere.
  const p = poly(x, 1.984127e-4, 1.3888889e-3, 8.3333333e-3, 4.1666667e-2, 1.6666667e-1, 0.5);
  const near = add(mul(p, mul(x, x)), x);
  return select(lt(a.op("f32", "abs", x), f(0.35)), near, sub(exp(a, x), f(1)));
}

export function erf<V>(a: Algebra<V>, x: V): V {
  const { f, add, sub, mul, gt, lt, select, poly } = tools(a);
  const t = a.op("f32", "min", f(4), a.op("f32", "abs", x));
  const s = mul(x, x);
  const tail = poly(
    t,
    -1.7285347e-5,
    3.83197126e-4,
    -3.88396438e-3,
    2.42546219e-2,
    -1.06777877e-1,
    -6.34846687e-1,
    -1.28717512e-1,
  );
  const outer = sub(f(1), exp(a, sub(mul(tail, t), t)));
  const inner = poly(
    s,
    -5.96761703e-4,
    4.99119423e-3,
    -2.67681349e-2,
    1.12819925e-1,
    -3.76125336e-1,
    1.28379166e-1,
  );
  const near = add(mul(inner, x), x);
  const far = select(lt(x, f(0)), a.op("f32", "neg", outer), outer);
  return select(gt(t, f(0.927734375)), far, near);
}

/** log Γ for x > 0: Stirling's series above 7, and the recurrence below. Near its zeros at 1 and 2 the error is absolute, below 1e-6. */
export function lgamma<V>(a: Algebra<V>, x: V): V {
  const { f, add, sub, mul, div, lt, select, poly } = tools(a);
  const small = lt(x, f(7));
  let product = x;
  for (let k = 1; k < 7; k++) product = mul(product, add(x, f(k)));
  const z = select(small, add(x, f(7)), x);
  const w = div(f(1), mul(z, z));
  const series = div(poly(w, -5.952380952e-4, 7.936507937e-4, -2.777777778e-3, 8.333333333e-2), z);
  // For infinite z the largest finite number is subtracted: infinity minus infinity is NaN.
  const taken = a.op("f32", "min", z, f(3.4028234663852886e38));
  const stirling = add(add(sub(mul(sub(z, f(0.5)), log(a, z)), taken), f(0.9189385332046727)), series);
  return sub(stirling, select(small, log(a, product), f(0)));
}

/** The derivative of log Γ, for x > 0; NaN below. */
export function digamma<V>(a: Algebra<V>, x: V): V {
  const { f, add, sub, mul, div, lt, select, poly } = tools(a);
  const small = lt(x, f(6));
  let sum = div(f(1), x);
  for (let k = 1; k < 6; k++) sum = add(sum, div(f(1), add(x, f(k))));
  const z = select(small, add(x, f(6)), x);
  const w = div(f(1), mul(z, z));
  const series = mul(w, poly(w, 4.166666667e-3, -3.968253968e-3, 8.333333333e-3, -8.333333333e-2));
  const r = add(sub(log(a, z), div(f(0.5), z)), series);
  return select(lt(x, f(0)), f(Number.NaN), sub(r, select(small, sum, f(0))));
}

/** The second derivative of log Γ, for x > 0; NaN below. */
export function trigamma<V>(a: Algebra<V>, x: V): V {
  const { f, add, mul, div, lt, select, poly } = tools(a);
  const small = lt(x, f(6));
  const inverseSquare = (v: V) => div(f(1), mul(v, v));
  let sum = inverseSquare(x);
  for (let k = 1; k < 6; k++) sum = add(sum, inverseSquare(add(x, f(k))));
  const z = select(small, add(x, f(6)), x);
  const w = inverseSquare(z);
  const series = mul(div(w, z), poly(w, -3.333333333e-2, 2.380952381e-2, -3.333333333e-2, 1.666666667e-1));
  const r = add(add(add(div(f(1), z), mul(w, f(0.5))), series), select(small, sum, f(0)));
  return select(lt(x, f(0)), f(Number.NaN), r);
}

/** x to the power y. A negative x is allowed where y is an integer. Zeros, infinities and NaN follow C. */
export function pow<V>(a: Algebra<V>, x: V, y: V): V {
  const { f, i, mul, eq, select } = tools(a);
  const abs = (v: V) => a.op("f32", "abs", v);
  const l = log(a, abs(x));
  // Powers of ±1 have magnitude 1, also for infinite exponents.
  const magnitude = exp(a, select(eq(l, f(0)), l, mul(y, l)));
  const whole = eq(a.op("f32", "floor", y), y);
  const half = mul(y, f(0.5));
  const even = eq(a.op("f32", "floor", half), half);
  const turned = select(even, magnitude, a.op("f32", "neg", magnitude));
  // -0 and -∞ have non-integer powers.
  const broken = select(eq(abs(l), f(Infinity)), magnitude, f(Number.NaN));
  const negative = a.op("i32", "lt", a.op("f32", "bits_f32toi32", x), i(0));
  const r = select(negative, select(whole, turned, broken), magnitude);
  // The logarithm of the largest number is rounded up, and its exponential would overflow.
  const over = a.op("bool", "and", eq(y, f(1)), eq(magnitude, f(Infinity)));
  return select(eq(y, f(0)), f(1), select(over, x, r));
}

const rotations = [
  [13, 15, 26, 6],
  [17, 29, 16, 24],
];

/** Threefry-2x32 with 20 rounds (Salmon et al., 2011): one of the two output words for a key and a counter, all u32. */
export function threefry<V>(a: Algebra<V>, k0: V, k1: V, c0: V, c1: V, word: number): V {
  const u = (v: number) => a.constant("u32", v);
  const add = (x: V, y: V) => a.op("u32", "add", x, y);
  const xor = (x: V, y: V) => a.op("u32", "xor", x, y);
  const rotate = (x: V, n: number) =>
    a.op("u32", "or", a.op("u32", "shl", x, u(n)), a.op("u32", "shr", x, u(32 - n)));
  const keys = [k0, k1, xor(xor(k0, k1), u(0x1bd11bda))];
  let x = add(c0, k0);
  let y = add(c1, k1);
  for (let group = 0; group < 5; group++) {
    for (const n of rotations[group & 1]) {
      x = add(x, y);
      y = xor(rotate(y, n), x);
    }
    x = add(x, keys[(group + 1) % 3]);
    y = add(add(y, keys[(group + 2) % 3]), u(group + 1));
  }
  return word === 0 ? x : y;
}
