import { sameShape, show } from "../shape.ts";
import type { Tensor } from "../tensor.ts";

export interface Tolerance {
  relative?: number;
  absolute?: number;
}

/** A description of the first element of `actual` that is not close to `expected`; undefined if all are. NaN equals NaN. */
export function mismatch(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  { relative = 1e-5, absolute = 1e-6 }: Tolerance = {},
): string | undefined {
  if (actual.length !== expected.length) return `${actual.length} elements instead of ${expected.length}`;
  for (let i = 0; i < expected.length; i++) {
    const [a, e] = [actual[i], expected[i]];
    if (a === e || (Number.isNaN(a) && Number.isNaN(e))) continue;
    if (!(Math.abs(a - e) <= absolute + relative * Math.abs(e))) return `element ${i} is ${a}, expected ${e}`;
  }
  return undefined;
}

/** Throws unless shape and values agree. */
export function expectClose(
  what: string,
  actual: Tensor,
  expected: { shape: readonly number[]; data: ArrayLike<number> },
  tolerance?: Tolerance,
): void {
  if (!sameShape(actual.shape, expected.shape))
    throw new Error(`${what}: shape ${show(actual.shape)} instead of ${show(expected.shape)}`);
  const wrong = mismatch(actual.data, expected.data, tolerance);
  if (wrong) throw new Error(`${what}: ${wrong}`);
}

/** The bit patterns of the elements: -0 differs from 0; every NaN is equal, because JavaScript may change its payload. */
export function bitsOf(t: Tensor): ArrayLike<number> {
  if (t.dtype !== "f32") return t.data;
  const copy = Float32Array.from(t.data, (v) => (Number.isNaN(v) ? Number.NaN : v));
  return new Uint32Array(copy.buffer);
}

/** Throws unless every bit agrees; names the first difference. */
export function expectSameBits(what: string, actual: Tensor, expected: Tensor): void {
  if (actual.dtype !== expected.dtype)
    throw new Error(`${what}: ${actual.dtype} instead of ${expected.dtype}`);
  if (!sameShape(actual.shape, expected.shape))
    throw new Error(`${what}: shape ${show(actual.shape)} instead of ${show(expected.shape)}`);
  const [a, e] = [bitsOf(actual), bitsOf(expected)];
  for (let i = 0; i < e.length; i++) {
    if (a[i] !== e[i])
      throw new Error(
        `${what}: element ${i} is ${actual.data[i]} (0x${a[i].toString(16)}), expected ${expected.data[i]} (0x${e[i].toString(16)})`,
      );
  }
}
