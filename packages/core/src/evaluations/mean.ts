/**
 * The mean; NaN of an empty list. The sum is compensated (Neumaier, 1974), and the result is never outside of the smallest and the
 * largest value, so that the mean of equal values is that value.
 */
export function meanOf(values: ArrayLike<number>): number {
  const n = values.length;
  let [sum, compensation] = [0, 0];
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < n; i++) {
    const value = values[i];
    const next = sum + value;
    compensation += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  // For infinite values the compensation is NaN.
  const mean = (Number.isFinite(sum) ? sum + compensation : sum) / n;
  return Math.min(high, Math.max(low, mean));
}
