/** The square of `x` as `pow(x, 2)` gives it. */
export function square(x: number): number {
  return x * x;
}
