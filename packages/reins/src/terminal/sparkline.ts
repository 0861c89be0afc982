import { meanOf } from "@reins/core/evaluations";

const eighths = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/** A curve in a few characters. */
export function sparkline(values: readonly number[], width: number): string {
  if (!values.length) return "";
  const columns = resample(values, Math.min(width, values.length));
  const [low, high] = [Math.min(...columns), Math.max(...columns)];
  return columns.map((v) => eighths[Math.min(7, Math.floor(((v - low) / (high - low || 1)) * 8))]).join("");
}

/** Averages neighbours until there are `count` values, at most as many as before. */
export function resample(values: readonly number[], count: number): number[] {
  return Array.from({ length: count }, (_, i) => {
    const from = Math.floor((i * values.length) / count);
    const to = Math.max(from + 1, Math.floor(((i + 1) * values.length) / count));
    return meanOf(values.slice(from, to));
  });
}
