/** The extent of each axis; `[]` is a scalar. */
export type Shape = readonly number[];

/** Number of elements. */
export function sizeOf(shape: Shape): number {
  let n = 1;
  for (const d of shape) n *= d;
  return n;
}

/** Row-major strides, in elements. */
export function stridesOf(shape: Shape): number[] {
  const strides = new Array<number>(shape.length);
  let n = 1;
  for (let i = shape.length - 1; i >= 0; i--) {
    strides[i] = n;
    n *= shape[i];
  }
  return strides;
}

export function sameShape(a: Shape, b: Shape): boolean {
  if (a.length !== b.length) return false;
  // A dedicated loop: tracing calls it about ten thousand times, before anything is optimised.
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** `[2, 3]`, for messages. */
export function show(shape: Shape): string {
  return `[${shape.join(", ")}]`;
}

/** The broadcast shape by NumPy's rules, or undefined if the shapes are incompatible. */
export function broadcastShapes(a: Shape, b: Shape): number[] | undefined {
  const rank = Math.max(a.length, b.length);
  const out = new Array<number>(rank);
  for (let i = 1; i <= rank; i++) {
    const x = i <= a.length ? a[a.length - i] : 1;
    const y = i <= b.length ? b[b.length - i] : 1;
    if (x !== y && x !== 1 && y !== 1) return undefined;
    out[rank - i] = x === 1 ? y : x;
  }
  return out;
}
