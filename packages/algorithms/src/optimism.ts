/** What is added to a mean so that it is hardly ever too low: for numbers of this variance and range, seen n times. */
export type Bonus = (variance: number, range: number, n: number) => number;

/** How sure a bonus has to be. */
export interface BernsteinOptions {
  /** Factor of the whole. In theory about 2; smaller ones explore less and mostly do better. */
  readonly scale: number;
  /** Logarithm of one over the probability that a mean is too low all the same. */
  readonly log: number;
}

/** The bonus by Bernstein's inequality, as in UCBVI (Azar, Osband and Munos, 2017): at most the range. */
export const bernstein =
  ({ scale, log }: BernsteinOptions): Bonus =>
  (variance, range, n) =>
    Math.min(range, scale * (Math.sqrt((variance * log) / n) + (range * log) / n));

/** How often things were seen in all, and mean and variance of `values` over what was seen. */
export function moments(
  counts: ArrayLike<number>,
  values: ArrayLike<number>,
): { n: number; mean: number; variance: number } {
  let [n, sum, squares] = [0, 0, 0];
  for (let i = 0; i < counts.length; i++) {
    n += counts[i];
    sum += counts[i] * values[i];
    squares += counts[i] * values[i] ** 2;
  }
  return { n, mean: sum / n, variance: Math.max(0, squares / n - (sum / n) ** 2) };
}
