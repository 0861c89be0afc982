/**
 * An exploration bonus: added to a mean of n samples with this variance and range, it makes an upper confidence
 * bound.
 */
export type Bonus = (variance: number, range: number, n: number) => number;

/** Settings of an exploration bonus. */
export interface BernsteinOptions {
  /** Scale of the bonus. Theory requires about 2; smaller values explore less and usually perform better. */
  readonly scale: number;
  /** Logarithm of one over the failure probability of the bound. */
  readonly log: number;
}

/** The bonus from Bernstein's inequality, as in UCBVI (Azar, Osband and Munos, 2017): at most the range. */
export const bernstein =
  ({ scale, log }: BernsteinOptions): Bonus =>
  (variance, range, n) =>
    Math.min(range, scale * (Math.sqrt((variance * log) / n) + (range * log) / n));

/** Total count, and mean and variance of `values` weighted by counts. */
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
