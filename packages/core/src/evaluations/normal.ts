import { real } from "@reins/tensor";
/** The standard normal distribution function, by the series about 0 (Marsaglia, 2004): accurate to about 1e-15. */
export function normalProbability(z: number): number {
  if (Number.isNaN(z)) return z;
  if (z < -8.3) return 0;
  if (z > 8.3) return 1;
  let [sum, term, before] = [z, z, 0];
  for (let i = 3; sum !== before; i += 2) {
    before = sum;
    term *= (z * z) / i;
    sum += term;
  }
  return 0.5 + sum * real.exp(-0.5 * z * z - 0.91893853320467274178);
}

/** The quantile of the standard normal distribution. */
export function normalQuantile(p: number): number {
  if (!(p > 0)) return Number.NEGATIVE_INFINITY;
  if (!(p < 1)) return Number.POSITIVE_INFINITY;
  let [low, high] = [-8.3, 8.3];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (normalProbability(middle) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
