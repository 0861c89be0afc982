/** Whether something from a file is the lowest and the highest return of an episode. */
export const isBounds = (x: unknown): x is readonly [number, number] =>
  Array.isArray(x) && x.length === 2 && x.every(Number.isFinite) && x[0] < x[1];
