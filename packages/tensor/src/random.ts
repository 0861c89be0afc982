import { apply } from "./apply.ts";
import { tensor, zeros } from "./create.ts";
import { fail } from "./errors.ts";
import {
  add,
  and,
  bitcast,
  cast,
  div,
  exp,
  expm1,
  gt,
  log,
  log1p,
  lt,
  maximum,
  minimum,
  mod,
  mul,
  neg,
  not,
  or,
  pow,
  shl,
  shr,
  sqrt,
  square,
  sub,
  where,
} from "./ops/arithmetic.ts";
import { asTensor, type TensorLike } from "./ops/check.ts";
import { argsort } from "./ops/indexing.ts";
import { broadcastTo, full, iota, reshape, slice, stack } from "./ops/movement.ts";
import { argmax, max, sum } from "./ops/reduce.ts";
import { erfInverse } from "./ops/special.ts";
import { type Shape, show, sizeOf } from "./shape.ts";
import type { Tensor } from "./tensor.ts";
import { stopGradient } from "./transform/custom.ts";
import { scan } from "./transform/scan.ts";

/**
 * Random numbers from counter-based keys (Threefry): a key and a position give the same bits on every back end, in any order. A
 * key is a u32 tensor of shape [2]; use each one once and make new ones with {@link splitKey}.
 */
export function key(seed: number): Tensor {
  if (!Number.isSafeInteger(seed))
    fail("key", `the seed ${seed} is not an integer, or is above 2^53. Use a whole number.`);
  // A typed array: nested arrays are flattened and checked.
  return tensor(Uint32Array.of(Math.floor(seed / 2 ** 32), seed));
}

function word(k: Tensor, index: number): Tensor {
  if (k.dtype !== "u32" || k.rank !== 1 || k.shape[0] !== 2)
    fail("random", `expected a key u32[2], but got ${k.dtype}${show(k.shape)}. Make one with key(seed).`);
  return reshape(slice(k, [[index, index + 1]]), []);
}

/** Bits for each position of `shape`; streams with different `stream` numbers are independent. */
function threefry(k: Tensor, shape: Shape, which: 0 | 1, stream: number): Tensor {
  const n = sizeOf(shape);
  const wide = (t: Tensor) => broadcastTo(t, [n]);
  const counter = cast(iota([n]), "u32");
  const streams = broadcastTo(asTensor(stream, "random", "u32"), [n]);
  return reshape(
    apply("threefry", [wide(word(k, 0)), wide(word(k, 1)), counter, streams], { word: which }, [n], "u32"),
    shape,
  );
}

/** Random 32-bit numbers (u32). */
export function bits(k: Tensor, shape: Shape): Tensor {
  return threefry(k, shape, 0, 0);
}

/** `count` new keys. */
export function splitKey(k: Tensor, count = 2): Tensor[] {
  const a = threefry(k, [count], 0, 1);
  const b = threefry(k, [count], 1, 1);
  const both = stack([a, b], 1);
  return Array.from({ length: count }, (_, i) => reshape(slice(both, [[i, i + 1]]), [2]));
}

/**
 * A new key from a key and a number, for example a step counter, or a name for what the key is used for: the keys of
 * different names, and of names and small numbers, are independent. A name has at least four ASCII characters.
 */
export function foldKey(k: Tensor, data: TensorLike | string): Tensor {
  if (typeof data === "string") return wordsOf(data).reduce<Tensor>((now, word) => foldKey(now, word), k);
  // Any integer is accepted: its last 32 bits are used.
  const d = asTensor(Number.isInteger(data) ? Number(data) >>> 0 : data, "foldKey", "u32");
  const n = d.dtype === "u32" ? d : cast(d, "u32");
  const parts = [0, 1].map((which) =>
    apply(
      "threefry",
      [word(k, 0), word(k, 1), reshape(n, []), asTensor(2, "random", "u32")],
      { word: which },
      [],
      "u32",
    ),
  );
  return stack(parts);
}

/** The characters of a name, four in a number, the first the highest. */
function wordsOf(name: string): number[] {
  if (!/^[ -~]{4,}$/.test(name))
    fail(
      "foldKey",
      `the name ${JSON.stringify(name)} does not have four or more ASCII characters. Use a longer one.`,
    );
  const words = Array.from({ length: Math.ceil(name.length / 4) }, () => 0);
  for (let i = 0; i < name.length; i++) words[i >> 2] |= name.charCodeAt(i) << (24 - 8 * (i & 3));
  return words;
}

/** 24 random bits as a number: in [0, 1), or shifted into (0, 1) by half a step. */
function unit(b: Tensor, shift = 0): Tensor {
  return mul(add(cast(shr(b, 8), "f32"), shift), 2 ** -24);
}

/** Uniform numbers in [`low`, `high`), with 24 random bits each. */
export function uniform(k: Tensor, shape: Shape, low: TensorLike = 0, high: TensorLike = 1): Tensor {
  const u = unit(bits(k, shape));
  return low === 0 && high === 1 ? u : add(mul(u, sub(high, low)), low);
}

/** Standard normal numbers (Box and Muller, 1958: one per pair of words). */
export function normal(k: Tensor, shape: Shape): Tensor {
  const radius = sqrt(mul(log(unit(threefry(k, shape, 0, 0), 1)), -2));
  const angle = mul(unit(threefry(k, shape, 1, 0)), 2 * Math.PI);
  return mul(radius, apply("cos", [angle], { near: true }, shape, "f32"));
}

/** Integers from `low` up to but excluding `high` (i32). */
export function randint(k: Tensor, shape: Shape, low: number, high: number): Tensor {
  if (!(high > low)) fail("randint", `the range from ${low} to ${high} is empty.`);
  if (!Number.isInteger(low) || !Number.isInteger(high) || low < -(2 ** 31) || high > 2 ** 31)
    fail(
      "randint",
      `the range from ${low} to ${high} is not a valid i32 range. Use integers from -2³¹ to 2³¹.`,
    );
  return add(bitcast(below(k, shape, high - low), "i32"), low);
}

/** Numbers below `range`, of 32 bits up to 2²⁸, where some are at most a sixteenth likelier than others, and of 64 beyond. */
function below(k: Tensor, shape: Shape, range: number): Tensor {
  const all = bits(k, shape);
  if (range === 2 ** 32) return all;
  if (range <= 2 ** 28 || 2 ** 32 % range === 0) return mod(all, range);
  // The integer part of range · x, for x in [0, 1) with 64 bits.
  const [high, low] = [all, threefry(k, shape, 1, 0)].map((x) => product(x, range));
  const sum = add(high.low, low.high);
  return add(high.high, cast(lt(sum, high.low), "u32"));
}

/** The 64-bit product of u32 numbers, by halves of 16 bits. */
function product(x: Tensor, factor: number): { readonly high: Tensor; readonly low: Tensor } {
  const [b, a] = [factor & 0xffff, factor >>> 16];
  const [y, z] = [and(x, 0xffff), shr(x, 16)];
  const last = mul(y, b);
  const first = add(mul(z, b), shr(last, 16));
  const second = add(mul(y, a), and(first, 0xffff));
  return {
    high: add(add(mul(z, a), shr(first, 16)), shr(second, 16)),
    low: or(shl(second, 16), and(last, 0xffff)),
  };
}

/** True with probability `p` (bool); `p` may be a tensor with one probability per element. */
export function bernoulli(
  k: Tensor,
  p: TensorLike,
  shape: Shape = typeof p === "object" ? p.shape : [],
): Tensor {
  return lt(uniform(k, shape), p);
}

/** Exponentially distributed numbers with mean 1. */
export function exponential(k: Tensor, shape: Shape): Tensor {
  return neg(log(unit(bits(k, shape), 1)));
}

/** The largest number below 1. */
const belowOne = 1 - 2 ** -24;

/**
 * Gumbel noise: the argmax of logits plus noise is a sample of their softmax. It is finite: the largest of the 2²⁴ uniform numbers rounds to
 * 1, whose infinite noise would choose even a masked entry.
 */
export function gumbel(k: Tensor, shape: Shape): Tensor {
  return neg(log(neg(log(minimum(unit(bits(k, shape), 0.5), belowOne)))));
}

/** Samples of the categorical distribution with these `logits` along an axis (i32). */
export function categorical(k: Tensor, logits: Tensor, axis = -1): Tensor {
  return argmax(add(logits, gumbel(k, logits.shape)), axis);
}

/** The numbers 0 … n-1 in random order (i32). */
export function permutation(k: Tensor, n: number): Tensor {
  return argsort(bits(k, [n]));
}

/** Standard normal numbers conditioned on lying between `low` and `high`. */
export function truncatedNormal(k: Tensor, shape: Shape, low = -2, high = 2): Tensor {
  if (!(low <= high) || low === Infinity || high === -Infinity)
    fail("truncatedNormal", `there are no numbers between ${low} and ${high}. Use low < high.`);
  if (low >= farOut) return normalTail(k, shape, low, high);
  if (high <= -farOut) return neg(normalTail(k, shape, -high, -low));
  const [a, b] = [erfNumber(low * Math.SQRT1_2), erfNumber(high * Math.SQRT1_2)];
  const u = add(mul(unit(bits(k, shape), 0.5), b - a), a);
  const x = mul(erfInverse(u), Math.SQRT2);
  return where(lt(x, low), low, where(gt(x, high), high, x));
}

/** Beyond this bound erf is too close to 1 for its inverse. */
const farOut = 4;

/** Marsaglia (1964): Rayleigh numbers beyond `low`, each accepted with probability low / x. Twelve tries leave one failure in 10¹⁴. */
function normalTail(k: Tensor, shape: Shape, low: number, high: number): Tensor {
  // Not Math.expm1, which differs between machines.
  const share = expm1(full([], (low * low - high * high) / 2));
  const { carry } = scan(
    ({ value, done }, { i }: { i: Tensor }) => {
      const [a, b] = splitKey(foldKey(k, i));
      const drop = mul(log1p(mul(unit(bits(a, shape), 0.5), share)), -2);
      const x = minimum(maximum(sqrt(add(drop, low * low)), low), high);
      const fits = lt(mul(unit(bits(b, shape), 0.5), x), low);
      return [{ value: where(and(fits, not(done)), x, value), done: or(done, fits) }, []];
    },
    { value: full(shape, low), done: zeros(shape, "bool") },
    { i: iota([tries]) },
  );
  return carry.value;
}

/** erf of a number, by its Taylor series; for bounds of a few standard deviations. */
function erfNumber(x: number): number {
  if (Math.abs(x) > 4) return Math.sign(x);
  let [sum_, term] = [0, x];
  for (let n = 0; n < 100; n++) {
    sum_ += term / (2 * n + 1);
    term *= -(x * x) / (n + 1);
  }
  return (sum_ * 2) / Math.sqrt(Math.PI);
}

const tries = 12;

/** The logarithm of Gamma(alpha, 1) samples: small alphas give numbers too small for f32. */
function logGamma(k: Tensor, alpha: Tensor): Tensor {
  const [k1, k2] = splitKey(k);
  const small = lt(alpha, 1);
  // Marsaglia and Tsang (2000): accepts at once in over 95 % of cases; twelve tries leave one failure in 10¹⁵.
  const d = sub(where(small, add(alpha, 1), alpha), 1 / 3);
  const c = div(1 / 3, sqrt(d));
  const { carry } = scan(
    ({ value, done }, { i }: { i: Tensor }) => {
      const [a, b] = splitKey(foldKey(k1, i));
      const x = normal(a, alpha.shape);
      const v = pow(add(mul(c, x), 1), 3);
      const safe = maximum(v, 1e-30);
      const bound = add(sub(mul(square(x), 0.5), mul(d, safe)), add(d, mul(d, log(safe))));
      const fits = and(gt(v, 0), lt(log(unit(bits(b, alpha.shape), 0.5)), bound));
      return [{ value: where(and(fits, not(done)), log(mul(d, safe)), value), done: or(done, fits) }, []];
    },
    { value: log(d), done: zeros(alpha.shape, "bool") },
    { i: iota([tries]) },
  );
  const boost = div(log(unit(bits(k2, alpha.shape), 0.5)), alpha);
  return stopGradient(where(small, add(carry.value, boost), carry.value));
}

/** Samples of Gamma(alpha, 1), one per element of `alpha`. No gradient flows to `alpha`. */
export function gamma(k: Tensor, alpha: Tensor): Tensor {
  return exp(logGamma(k, alpha));
}

/** Samples of Beta(a, b), one per element. */
export function beta(k: Tensor, a: Tensor, b: Tensor): Tensor {
  const [k1, k2] = splitKey(k);
  const [x, y] = [logGamma(k1, a), logGamma(k2, b)];
  // exp(x) / (exp(x) + exp(y)), without leaving the range of f32.
  const gap = sub(y, x);
  return exp(neg(add(maximum(gap, 0), log1p(exp(neg(where(gt(gap, 0), gap, neg(gap))))))));
}

/** Samples of the Dirichlet distribution with the given concentrations along the last axis. */
export function dirichlet(k: Tensor, alpha: Tensor): Tensor {
  const x = logGamma(k, alpha);
  const e = exp(sub(x, max(x, { axis: -1, keepDims: true })));
  return div(e, sum(e, { axis: -1, keepDims: true }));
}
