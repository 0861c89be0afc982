/**
 * The loops of an exported module. Their text goes into it as it stands here, those that it needs: each must do without imports and
 * without the others. Arrays are in the order of rows, and have the right sizes.
 */

type Numbers = Float32Array | Int32Array | Uint32Array | Uint8Array;
type Widths = readonly number[];

/** Reads elements at strides, as transposing, slicing and taking windows do. */
function move(out: Numbers, x: Numbers, base: number, shape: Widths, strides: Widths): void {
  const index = shape.map(() => 0);
  for (let i = 0, at = base; i < out.length; i++) {
    out[i] = x[at];
    for (let a = shape.length - 1; a >= 0; a--) {
      at += strides[a];
      if (++index[a] < shape[a]) break;
      at -= strides[a] * shape[a];
      index[a] = 0;
    }
  }
}

/** Adds elements at strides to what is there: padding, and windows that overlap. */
function place(out: Numbers, x: Numbers, base: number, shape: Widths, strides: Widths, value: number): void {
  out.fill(value);
  const index = shape.map(() => 0);
  for (let i = 0, at = base; i < x.length; i++) {
    out[at] = value === 0 ? out[at] + x[i] : x[i];
    for (let a = shape.length - 1; a >= 0; a--) {
      at += strides[a];
      if (++index[a] < shape[a]) break;
      at -= strides[a] * shape[a];
      index[a] = 0;
    }
  }
}

/** Products of matrices: m × k by k × n, as many as there is room for. */
function matmul(out: Numbers, a: Numbers, b: Numbers, m: number, k: number, n: number): void {
  out.fill(0);
  for (let i = 0; i * n < out.length; i++)
    for (let p = 0; p < k; p++) {
      const x = a[i * k + p];
      const row = (Math.floor(i / m) * k + p) * n;
      for (let j = 0; j < n; j++) out[i * n + j] += x * b[row + j];
    }
}

function sum(out: Numbers, x: Numbers, count: number): void {
  for (let i = 0; i < out.length; i++) {
    let total = 0;
    for (let j = 0; j < count; j++) total += x[i * count + j];
    out[i] = total;
  }
}

function prod(out: Numbers, x: Numbers, count: number): void {
  for (let i = 0; i < out.length; i++) {
    let total = 1;
    for (let j = 0; j < count; j++) total *= x[i * count + j];
    out[i] = total;
  }
}

function max(out: Numbers, x: Numbers, count: number): void {
  for (let i = 0; i < out.length; i++) {
    let most = x[i * count];
    for (let j = 1; j < count; j++) most = Math.max(most, x[i * count + j]);
    out[i] = most;
  }
}

function min(out: Numbers, x: Numbers, count: number): void {
  for (let i = 0; i < out.length; i++) {
    let least = x[i * count];
    for (let j = 1; j < count; j++) least = Math.min(least, x[i * count + j]);
    out[i] = least;
  }
}

function argmax(out: Numbers, x: Numbers, count: number): void {
  for (let i = 0; i < out.length; i++) {
    let best = 0;
    for (let j = 1; j < count; j++) if (x[i * count + j] > x[i * count + best]) best = j;
    out[i] = best;
  }
}

function argmin(out: Numbers, x: Numbers, count: number): void {
  for (let i = 0; i < out.length; i++) {
    let best = 0;
    for (let j = 1; j < count; j++) if (x[i * count + j] < x[i * count + best]) best = j;
    out[i] = best;
  }
}

function argsort(out: Numbers, x: Numbers, count: number, sign: number): void {
  for (let start = 0; start < out.length; start += count) {
    const order = Array.from({ length: count }, (_, i) => i);
    order.sort((i, j) => sign * (x[start + i] - x[start + j]) || i - j);
    out.set(order, start);
  }
}

function cumsum(out: Numbers, x: Numbers, count: number, reverse: boolean): void {
  for (let start = 0; start < out.length; start += count) {
    let total = 0;
    for (let i = 0; i < count; i++) {
      const at = start + (reverse ? count - 1 - i : i);
      total += x[at];
      out[at] = total;
    }
  }
}

function cumprod(out: Numbers, x: Numbers, count: number, reverse: boolean): void {
  for (let start = 0; start < out.length; start += count) {
    let total = 1;
    for (let i = 0; i < count; i++) {
      const at = start + (reverse ? count - 1 - i : i);
      total *= x[at];
      out[at] = total;
    }
  }
}

/** Elements at positions along an axis of `size`, of which `count` are read; `inner` elements lie beside each other. */
function gather(out: Numbers, x: Numbers, at: Numbers, size: number, count: number, inner: number): void {
  for (let i = 0; i < out.length; i++) {
    const line = Math.floor(i / (count * inner));
    const position = Math.min(size - 1, Math.max(0, at[i]));
    out[i] = x[(line * size + position) * inner + (i % inner)];
  }
}

/** Writes elements to positions along an axis of `size`, or adds them there. */
function scatter(
  out: Numbers,
  x: Numbers | null,
  at: Numbers,
  from: Numbers,
  size: number,
  count: number,
  inner: number,
): void {
  if (x) out.set(x);
  else out.fill(0);
  for (let i = 0; i < from.length; i++) {
    const line = Math.floor(i / (count * inner));
    const position = Math.min(size - 1, Math.max(0, at[i]));
    const to = (line * size + position) * inner + (i % inner);
    out[to] = x ? from[i] : out[to] + from[i];
  }
}

/** Writes a piece of an axis: `wide` elements of every line of `room`, from `to` on, out of lines of `length`, from `from` on. */
function piece(
  out: Numbers,
  x: Numbers,
  room: number,
  to: number,
  length: number,
  from: number,
  wide: number,
): void {
  for (let line = 0; line * room < out.length; line++)
    for (let i = 0; i < wide; i++) out[line * room + to + i] = x[line * length + from + i];
}

/** Right to seven digits: the fit to erfc in "Numerical Recipes" (Press et al., 1992). */
function erf(x: number): number {
  const z = Math.abs(x);
  const t = 1 / (1 + z / 2);
  const terms = [
    1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223,
    0.17087277,
  ];
  const power = terms.reduceRight((total, c) => c + t * total, 0);
  const rest = t * Math.exp(-z * z - 1.26551223 + t * power);
  return x >= 0 ? 1 - rest : rest - 1;
}

/** To the nearest whole number, halves to the even one. */
function even(x: number): number {
  const near = Math.round(x);
  return Math.abs(x % 1) === 0.5 && near % 2 !== 0 ? near - 1 : near;
}

/** Writes the numbers of nested arrays; another count than there is room for is refused. */
function put(out: Numbers, value: unknown, name: string): void {
  let at = 0;
  const visit = (v: unknown): void => {
    if (typeof v === "object" && v !== null && "length" in v) {
      for (let i = 0; i < Number(v.length); i++) visit((v as ArrayLike<unknown>)[i]);
      return;
    }
    const x = typeof v === "boolean" ? Number(v) : v;
    if (typeof x !== "number" || Number.isNaN(x))
      throw new TypeError(`act: ${name} has ${v}, which is no number.`);
    if (at < out.length) out[at] = x;
    at++;
  };
  visit(value);
  if (at !== out.length) throw new RangeError(`act: ${name} has ${at} numbers; it must have ${out.length}.`);
}

/** All of them, by name. */
export const loops = {
  ...{ move, place, matmul, sum, prod, max, min, argmax, argmin, argsort, cumsum, cumprod },
  ...{ gather, scatter, piece, erf, even, put },
};

/** The name of a loop. */
export type LoopName = keyof typeof loops;
