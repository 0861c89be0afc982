import { sizeOf } from "../shape.ts";
import type { Tensor } from "../tensor.ts";

/** A plain array with a shape, on which property tests compute one element at a time by definition. */
export interface Naive {
  readonly shape: readonly number[];
  readonly data: readonly number[];
}

export const naive = (t: Tensor): Naive => ({ shape: t.shape, data: Array.from(t.data) });

/** All coordinates of a shape, in row-major order. */
export function coordinates(shape: readonly number[]): number[][] {
  const out: number[][] = [];
  for (let n = 0; n < sizeOf(shape); n++) {
    const index: number[] = [];
    let rest = n;
    for (let a = shape.length - 1; a >= 0; a--) {
      index.unshift(rest % shape[a]);
      rest = Math.floor(rest / shape[a]);
    }
    out.push(index);
  }
  return out;
}

/** An array from a function of the coordinates. */
export function build(shape: readonly number[], f: (index: number[]) => number): Naive {
  return { shape, data: coordinates(shape).map(f) };
}

/** The element at the given coordinates. Axes of extent 1 and missing leading axes are repeated, as in NumPy. */
export function at(x: Naive, index: readonly number[]): number {
  const tail = index.slice(index.length - x.shape.length);
  let position = 0;
  x.shape.forEach((d, a) => {
    position = position * d + (d === 1 ? 0 : tail[a]);
  });
  return x.data[position];
}

/** The common shape, by NumPy's rule. */
export function common(...shapes: (readonly number[])[]): number[] {
  const rank = Math.max(...shapes.map((s) => s.length));
  return Array.from({ length: rank }, (_, i) => {
    const extents = shapes.map((s) => s[s.length - rank + i] ?? 1).filter((d) => d !== 1);
    return extents[0] ?? 1;
  });
}

/** Combines all elements along some axes. */
export function fold(
  x: Naive,
  axes: readonly number[],
  keep: boolean,
  f: (values: number[]) => number,
): Naive {
  const kept = x.shape.map((d, a) => (axes.includes(a) ? 1 : d));
  const reduced = build(kept, (index) =>
    f(
      coordinates(axes.map((a) => x.shape[a])).map((inner) =>
        at(
          x,
          index.map((v, a) => (axes.includes(a) ? inner[axes.indexOf(a)] : v)),
        ),
      ),
    ),
  );
  return keep ? reduced : { shape: x.shape.filter((_, a) => !axes.includes(a)), data: reduced.data };
}

export const replaceAt = (index: readonly number[], axis: number, value: number) =>
  index.map((v, a) => (a === axis ? value : v));
