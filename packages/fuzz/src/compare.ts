import type { DType, Tensor } from "./internals.ts";

/** Copies of results, for comparison: what is compared may be overwritten by the next call. */
export interface Values {
  readonly shape: readonly number[];
  readonly dtype: DType;
  readonly data: ArrayLike<number>;
}

export const copyOf = (t: Tensor): Values => ({ shape: t.shape, dtype: t.dtype, data: t.data.slice() });

const same = (a: number, b: number) => Object.is(a, b) || (a !== a && b !== b);

/** The positions where two results differ in any bit; all NaNs are one. Undefined where even their forms differ. */
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

/** The largest distance that disturbed runs had from the first one, for each element; infinite where they left the numbers. */
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

/** How much more than the largest spread is allowed: disturbances are random, and errors need not be. */
const slack = 10;

/** Which of the positions differ by more than the spread allows. */
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
