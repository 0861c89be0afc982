import { type Interposed, interpose, type Operand, type TypedArray } from "./internals.ts";
import type { Random } from "./random.ts";

/**
 * Tolerances are found by perturbation: the program runs again, one operation at a time, and every operation whose rounding is not
 * specified (sums, products, factorisations) gets an error as large as its magnitudes allow. The results differ where rounding
 * matters, and only there: sums of small integers are exact in any order and are not perturbed, and where an error decides a
 * comparison or a sort, the results jump.
 */
export interface Noise {
  /** Also perturb the signs of sums of zeros. */
  readonly zeroSigns: boolean;
  /** Relative error of every float result, for peers with other implementations of functions. */
  readonly everywhere: number;
  /** Round to fewer bits, so that nearly equal values become equal, as they may be for a peer. */
  readonly coarse?: boolean;
}

const epsilon = 2 ** -23;
const largest = 3.4028234663852886e38;

export function perturbed<R>(r: Random, noise: Noise, body: () => R): R {
  /** Matrix products, and the number of terms of their elements. */
  const products = new WeakMap<TypedArray, number>();
  const f: Interposed = (op, inputs, plain) => {
    const out = plain(inputs);
    if (!(out instanceof Float32Array)) return out;
    const terms = op === "matmul" ? inputs[0].shape.at(-1) : op === "reshape" && products.get(inputs[0].data);
    if (terms) products.set(out, terms);
    if (noise.coarse) {
      if (!moves.has(op)) shorten(r, out, noise.everywhere);
      return out;
    }
    const rule = rules[op];
    if (rule) rule(r, out, inputs, plain, noise);
    if (op === "add") for (const k of [0, 1]) begun(r, out, inputs[1 - k], products.get(inputs[k].data));
    // Infinities stay: infinity minus infinity would be NaN.
    if (noise.everywhere && !moves.has(op)) {
      // These have zeros, next to which only their absolute error is small.
      const least = op === "lgamma" || op === "digamma" ? 1 : 0;
      for (let i = 0; i < out.length; i++)
        if (Math.abs(out[i]) < Infinity)
          out[i] += r.between(-1, 1) * (Math.max(least, Math.abs(out[i])) * noise.everywhere + 1e-42);
    }
    return out;
  };
  return interpose(f, body);
}

/** Rounds off the last bits at a random offset, so that values on both sides of one boundary can fall together. */
function shorten(r: Random, out: Float32Array, error: number): void {
  const bits = new Int32Array(out.buffer, out.byteOffset, out.length);
  const step = (2 * error) / epsilon;
  const offset = r.whole(0, step - 1);
  for (let i = 0; i < out.length; i++)
    if (Math.abs(out[i]) < largest / 2) bits[i] = (bits[i] + offset) & -step;
}

/** Operations that only move numbers, without rounding. */
const moves = new Set(
  "constant iota reshape identity stopGradient custom broadcast permute slice pad concat windows gather scatter dynamicSlice dynamicUpdate input cast bitcast neg abs maximum minimum max min where relu".split(
    " ",
  ),
);

type Rule = (
  r: Random,
  out: Float32Array,
  inputs: readonly Operand[],
  plain: (inputs: readonly Operand[]) => TypedArray,
  noise: Noise,
) => void;

const absolute = (x: Operand): Operand =>
  x.data instanceof Float32Array
    ? { ...x, data: x.data.map((v) => (Math.abs(v) === Infinity ? 0 : Math.abs(v))) }
    : x;

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);
/** The exponent of the lowest bit that is set in any element: all elements are multiples of 2 to that power. */
function grain(data: ArrayLike<number>): number {
  let lowest = 1100;
  for (let i = 0; i < data.length; i++) {
    double[0] = data[i];
    const exponent = ((words[1] >>> 20) & 2047) - 1023;
    if (exponent === 1024 || data[i] === 0) continue;
    const low = words[0]
      ? 31 - Math.clz32(words[0] & -words[0])
      : 32 + (31 - Math.clz32((words[1] | 0x100000) & -(words[1] | 0x100000)));
    lowest = Math.min(lowest, exponent - 52 + low);
  }
  return lowest;
}

/** Sums of multiples of this power of two are exact in any order while they are small. */
const finest = -10;

/** A result that rounding may change arbitrarily: out of range in one order and within it in another. */
const wild = (r: Random, v: number) => r.pick([v, Number.NaN, Infinity, -Infinity, 0]);

function sums(count: (inputs: readonly Operand[], out: Float32Array) => number, of: readonly number[]): Rule {
  return (r, out, inputs, plain, noise) => {
    const terms = of.map((k) => inputs[k]);
    if (terms.some((x) => !(x.data instanceof Float32Array))) return;
    // Infinities are the same in any order; finite terms beside them may overflow in one order and not in another.
    const total = plain(inputs.map((x, k) => (of.includes(k) ? absolute(x) : x)));
    const n = count(inputs, out);
    const fine = terms.reduce((g, x) => g + grain(x.data), 0);
    // Finer ones may be products that were rounded here, and that a back end fuses with the addition.
    const exactBelow = fine >= finest ? 2 ** Math.min(120, 24 + fine) : 0;
    const size = epsilon * (1 + Math.sqrt(n));
    for (let i = 0; i < out.length; i++) {
      const whole = total[i];
      if (whole === 0) {
        // An underflowed product keeps its sign on one back end and not on another.
        const underflow = of.length > 1 && fine < -149;
        if ((noise.zeroSigns || underflow) && r.chance(0.5)) out[i] = -out[i];
        continue;
      }
      if (whole <= exactBelow || Number.isNaN(whole)) continue;
      const error = size * whole + n * 1.4e-45;
      if (whole * 4 > largest) out[i] = wild(r, out[i]);
      // Terms that cancel may cancel entirely, and the result may be a divisor.
      else if (Math.abs(out[i]) < error && r.chance(0.2)) out[i] = 0;
      else out[i] += r.between(-1, 1) * error;
    }
  };
}

/** A term added to a matrix product may be the initial value of its sums. */
function begun(r: Random, out: Float32Array, first: Operand, terms: number | undefined): void {
  if (!terms) return;
  const exactBelow = 2 ** Math.min(120, 24 + Math.min(grain(out), grain(first.data)));
  for (let i = 0; i < out.length; i++) {
    const whole = Math.abs(first.data[i]) + Math.abs(out[i]);
    if (whole > exactBelow && whole < largest / 4)
      out[i] += r.between(-1, 1) * epsilon * (1 + Math.sqrt(terms)) * whole;
  }
}

/** Products of elements: the error is relative, and a partial product may leave the range. */
function products(count: (inputs: readonly Operand[]) => number): Rule {
  return (r, out, inputs, plain) => {
    const [x] = inputs;
    if (!(x.data instanceof Float32Array)) return;
    const top = plain([
      { ...x, data: x.data.map((v) => (Math.abs(v) === Infinity ? 1 : Math.max(1, Math.abs(v)))) },
    ]);
    const bottom = plain([{ ...x, data: x.data.map((v) => (v === 0 ? 1 : Math.min(1, Math.abs(v)))) }]);
    const whole = grain(x.data) >= 0;
    const size = epsilon * count(inputs);
    for (let i = 0; i < out.length; i++) {
      // A product that is NaN only because one part is infinite and another zero depends on the order.
      if (Number.isNaN(top[i]) || (whole && top[i] <= 2 ** 24)) continue;
      if (top[i] > largest / 4 || bottom[i] < 2 ** -120) out[i] = wild(r, out[i]);
      else out[i] *= 1 + r.between(-1, 1) * size;
    }
  };
}

/** Factorisations: their arguments are perturbed, since the error of a stable one is that of its argument. */
const factors: Rule = (r, out, inputs, plain) => {
  const moved = inputs.map((x) => ({
    ...x,
    data: (x.data as Float32Array).map((v) => v * (1 + r.between(-1, 1) * 16 * epsilon)),
  }));
  out.set(plain(moved) as Float32Array);
  let top = 0;
  for (const v of out) if (Number.isFinite(v)) top = Math.max(top, Math.abs(v));
  for (let i = 0; i < out.length; i++) out[i] += r.between(-1, 1) * 4 * epsilon * top;
};

/** Attention to the first keys: scores are sums, an error in one is a relative error of its weight, and the weighted mean is a sum. */
const attended: Rule = (r, out, [q, k, v, ...rest], plain) => {
  const most = ({ data }: Operand) =>
    (data as Float32Array).reduce((top, x) => (Number.isFinite(x) ? Math.max(top, Math.abs(x)) : top), 0);
  const [width, keys] = [q.shape[q.shape.length - 1], k.shape[k.shape.length - 2]];
  const reach = width * most(q) * most(k);
  const score = epsilon * (1 + Math.sqrt(width)) * reach;
  const total = plain([q, k, absolute(v), ...rest]);
  for (let i = 0; i < out.length; i++)
    // A score whose terms leave the range in f32 may be infinite, or NaN if they have both signs.
    if (reach * 4 > largest) out[i] = wild(r, out[i]);
    else if (Number.isFinite(total[i])) {
      const error = (epsilon * (4 + Math.sqrt(keys)) + 2 * score) * total[i];
      out[i] += r.between(-1, 1) * Math.min(error, total[i]);
    }
};

const ratio = (inputs: readonly Operand[], out: Float32Array) =>
  inputs[0].data.length / Math.max(1, out.length);
/** The sign of an extreme among zeros of both signs is unspecified. */
const zeros: Rule = (r, out, [{ data }]) => {
  const has = (zero: number) => (data as Float32Array).some((v) => Object.is(v, zero));
  if (!has(0) || !has(-0)) return;
  for (let i = 0; i < out.length; i++) if (out[i] === 0 && r.chance(0.5)) out[i] = -out[i];
};

const rules: Readonly<Record<string, Rule>> = {
  max: zeros,
  min: zeros,
  sum: sums(ratio, [0]),
  matmul: sums(([a]) => a.shape[a.shape.length - 1], [0, 1]),
  cumsum: sums(([x]) => Math.max(0, ...x.shape), [0]),
  scatterAdd: sums(([, s]) => s.data.length, [1]),
  overlapAdd: sums(([x]) => Math.max(0, ...x.shape), [0]),
  prod: products(([x]) => x.data.length),
  cumprod: products(([x]) => Math.max(0, ...x.shape)),
  cholesky: factors,
  triangularSolve: factors,
  jacobi: factors,
  attend: attended,
};
