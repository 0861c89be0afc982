import type { DType, Tensor } from "./internals.ts";

/** Copies of results, since the next call may overwrite them. */
export interface Values {
  readonly shape: readonly number[];
  readonly dtype: DType;
  readonly data: ArrayLike<number>;
}

export const copyOf = (t: Tensor): Values => ({ shape: t.shape, dtype: t.dtype, data: t.data.slice() });

const same = (a: number, b: number) => Object.is(a, b) || (a !== a && b !== b);

/** The positions at which two results differ in any bit; all NaNs are equal. Undefined if their shapes or types differ. */
export function differences(got: Values, want: Values): number[] | undefined {
  if (
    got.dtype !== want.dtype ||
    String(got.shape) !== String(want.shape) ||
    got.data.length !== want.data.length
  )
    return undefined;
  const out: number[] = [];
  for (let i = 0; i < want.data.length; i++) if (!same(got.data[i], want.data[i])) out.push(i);
  return out;
}

/** The largest distance of perturbed runs from the first one, for each element; infinite if not finite. */
export function spread(base: Values, others: readonly Values[]): Float64Array {
  const out = new Float64Array(base.data.length);
  for (const o of others) {
    if (o.data.length !== out.length) return out.fill(Infinity);
    for (let i = 0; i < out.length; i++) {
      const [a, b] = [base.data[i], o.data[i]];
      if (same(a, b)) continue;
      const d = Math.abs(a - b);
      out[i] = Math.max(out[i], Number.isNaN(d) ? Infinity : a === b ? 1.4e-45 : d);
    }
  }
  return out;
}

/** Tolerance as a multiple of the largest spread: perturbations are random, and errors need not be. */
const slack = 10;

/** The positions that differ by more than the spread allows. */
export function beyond(
  got: Values,
  want: Values,
  positions: readonly number[],
  tolerance: Float64Array,
): number[] {
  return positions.filter((i) => {
    if (tolerance[i] === Infinity) return false;
    return !(Math.abs(got.data[i] - want.data[i]) <= slack * tolerance[i]) || tolerance[i] === 0;
  });
}
