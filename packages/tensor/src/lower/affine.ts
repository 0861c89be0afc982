import type { Shape } from "../shape.ts";

/** `constant + Σ coefficients[d] · (index of loop dimension d)`. */
export interface Affine {
  readonly constant: number;
  readonly coefficients: readonly number[];
}

/** Loop dimensions: extents without ones, outermost first. */
export type Dims = readonly number[];

export const zero = (dims: Dims): Affine => ({
  constant: 0,
  coefficients: new Array<number>(dims.length).fill(0),
});

export function plus(a: Affine, b: Affine): Affine {
  return {
    constant: a.constant + b.constant,
    coefficients: a.coefficients.map((c, i) => c + b.coefficients[i]),
  };
}

export function times(a: Affine, k: number): Affine {
  return { constant: a.constant * k, coefficients: a.coefficients.map((c) => c * k) };
}

export function equal(a: Affine, b: Affine): boolean {
  return a.constant === b.constant && a.coefficients.every((c, i) => c === b.coefficients[i]);
}

/** The extents without ones. */
export function dimsOf(shape: Shape): number[] {
  return shape.filter((d) => d !== 1);
}

/**
 * The coarsest dimensions of which both lists are groupings: [6, 4] and [2, 12] give [2, 3, 4]. Undefined if they do not
 * nest. `parents` lists, for each, the dimension of `a` that it is a part of.
 */
export function refine(a: Dims, b: Dims): { dims: number[]; parents: number[] } | undefined {
  if (a.includes(0) || b.includes(0)) {
    return a.length === b.length && a.every((d, k) => d === b[k])
      ? { dims: [...a], parents: a.map((_, k) => k) }
      : undefined;
  }
  const dims: number[] = [];
  const parents: number[] = [];
  let [i, j] = [a.length - 1, b.length - 1];
  let [x, y] = [a[i] ?? 1, b[j] ?? 1];
  while (i >= 0 || j >= 0) {
    if (i < 0 || j < 0) return undefined;
    const d = Math.min(x, y);
    if (x % d !== 0 || y % d !== 0) return undefined;
    dims.unshift(d);
    parents.unshift(i);
    x /= d;
    y /= d;
    if (x === 1) x = a[--i] ?? 1;
    if (y === 1) y = b[--j] ?? 1;
  }
  return { dims, parents };
}

/** The index along each axis of `shape` in terms of `dims`, of which its extents are groupings. `which` selects and orders dims. */
export function home(
  shape: Shape,
  dims: Dims,
  which: readonly number[] = dims.map((_, i) => i),
): Affine[] | undefined {
  const out = new Array<Affine>(shape.length);
  let k = which.length - 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const coefficients = new Array<number>(dims.length).fill(0);
    // An empty axis is a separate dimension.
    let n = shape[axis] === 0 && dims[which[k]] === 0 ? (coefficients[which[k--]] = 0) : 1;
    while (n < shape[axis]) {
      if (k < 0) return undefined;
      coefficients[which[k]] = n;
      n *= dims[which[k]];
      k--;
    }
    if (n !== shape[axis]) return undefined;
    out[axis] = { constant: 0, coefficients };
  }
  return k === -1 ? out : undefined;
}

/** The position in row-major memory of an element whose axis indices are given. */
export function flatten(axes: readonly Affine[], strides: readonly number[], dims: Dims): Affine {
  return axes.reduce((sum, a, i) => plus(sum, times(a, strides[i])), zero(dims));
}

/** Splits a flat position into indices along the axes of `shape`; undefined if that needs a division at run time. */
export function unflatten(
  flat: Affine,
  shape: Shape,
  strides: readonly number[],
  dims: Dims,
): Affine[] | undefined {
  let rest = flat;
  const out: Affine[] = [];
  for (let axis = 0; axis < shape.length; axis++) {
    const s = strides[axis];
    if (shape[axis] === 1) {
      out.push(zero(dims));
      continue;
    }
    const take = rest.coefficients.map((c) => (c % s === 0 ? c / s : 0));
    const index: Affine = { constant: Math.floor(rest.constant / s), coefficients: take };
    rest = {
      constant: rest.constant - index.constant * s,
      coefficients: rest.coefficients.map((c, d) => c - take[d] * s),
    };
    // The remainder must stay inside one step of this axis, and the index inside its extent.
    const [least, most] = range(rest, dims);
    if (least < 0 || most >= s) return undefined;
    const [low, high] = range(index, dims);
    if (low < 0 || high >= shape[axis]) return undefined;
    out.push(index);
  }
  return rest.constant === 0 && rest.coefficients.every((c) => c === 0) ? out : undefined;
}

/** The smallest and largest value. */
export function range(a: Affine, dims: Dims): [number, number] {
  let [low, high] = [a.constant, a.constant];
  a.coefficients.forEach((c, d) => {
    if (c < 0) low += c * (dims[d] - 1);
    else high += c * (dims[d] - 1);
  });
  return [low, high];
}
