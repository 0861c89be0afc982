const eighths = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/** Averages neighbours, or repeats them, until there are `count`. */
export function resample(values: readonly number[], count: number): number[] {
  if (values.length === 0) return [];
  return Array.from({ length: count }, (_, i) => {
    const from = Math.floor((i * values.length) / count);
    const to = Math.max(from + 1, Math.floor(((i + 1) * values.length) / count));
    return values.slice(from, to).reduce((a, b) => a + b, 0) / (to - from);
  });
}

/**
 * A bar chart of positive numbers on a logarithmic scale, `height` lines of `width` characters. `share` is how much of the width
 * the values take: the rest of the run is still to come.
 */
export function chart(values: readonly number[], width: number, height: number, share = 1): string[] {
  const columns = resample(values, Math.max(1, Math.round(width * Math.min(1, share)))).map((v) =>
    Math.log(Math.max(v, 1e-9)),
  );
  const [low, high] = [Math.min(...columns), Math.max(...columns)];
  // At least an eighth of a line each, so that the lowest can be seen.
  const bars = columns.map((v) => Math.max(1, Math.round(((v - low) / (high - low || 1)) * height * 8)));
  return Array.from({ length: height }, (_, line) => {
    const below = (height - 1 - line) * 8;
    return bars
      .map((b) => eighths[Math.max(0, Math.min(8, b - below))])
      .join("")
      .padEnd(width);
  });
}
