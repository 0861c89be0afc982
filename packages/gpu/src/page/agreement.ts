import type { Tensor, TypedArray } from "@reins/tensor";

/** A result of a function: its type and elements, read from whichever side has them. */
export interface Result {
  readonly dtype: Tensor["dtype"];
  readonly shape: readonly number[];
  readonly data: TypedArray;
}

export const readAll = (tensors: readonly Tensor[]): Promise<Result[]> =>
  Promise.all(tensors.map(async (t) => ({ dtype: t.dtype, shape: t.shape, data: await t.read() })));

/**
 * The first difference between results, or undefined: integers and bools must be equal, f32 within
 * `relative` of the element and of `terms`, the size of what was added up to it. NaN equals NaN.
 */
export function difference(got: Result, want: Result, relative: number, terms = 1): string | undefined {
  if (got.dtype !== want.dtype || `${got.shape}` !== `${want.shape}`)
    return `${got.dtype}[${got.shape}] instead of ${want.dtype}[${want.shape}]`;
  const { data } = want;
  for (let i = 0; i < data.length; i++) {
    const [a, b] = [got.data[i], data[i]];
    if (a === b || (Number.isNaN(a) && Number.isNaN(b))) continue;
    if (got.dtype === "f32" && Math.abs(a - b) <= relative * (Math.abs(b) + terms)) continue;
    return `element ${i} is ${a}, expected ${b}`;
  }
  return undefined;
}

/** The first difference between lists of results. */
export function differences(
  got: readonly Result[],
  want: readonly Result[],
  relative: number,
  terms?: number,
): string | undefined {
  for (const [k, w] of want.entries()) {
    const d = difference(got[k], w, relative, terms);
    if (d) return `result ${k}: ${d}`;
  }
  return undefined;
}
