/** Whether a value from a file is a pair of lowest and highest return. */
export const isBounds = (x: unknown): x is readonly [number, number] =>
  Array.isArray(x) && x.length === 2 && x.every(Number.isFinite) && x[0] < x[1];
