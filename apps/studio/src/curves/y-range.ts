/** Minimum height of a linear y axis, as a share of the largest magnitude: smaller changes look flat. */
const leastShare = 0.05;

/**
 * Widens the range of some values to a share of their magnitude, so that the axis does not magnify 40.62 to 40.68 into a climb.
 * Zeros alone get the range of a share, 0 to 1.
 */
export function yRange(low: number, high: number): [number, number] {
  if (low === 0 && high === 0) return [0, 1];
  const least = leastShare * Math.max(Math.abs(low), Math.abs(high));
  const lacking = least - (high - low);
  if (!(lacking > 0)) return [low, high];
  return [low - lacking / 2, high + lacking / 2];
}
