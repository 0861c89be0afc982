import { bar } from "./bar.ts";
import { short } from "./format.ts";
import type { Ink } from "./ink.ts";

/** A histogram as horizontal bars. */
export function histogram(values: ArrayLike<number>, ink: Ink, bins = 10, width = 40): string[] {
  const all = Array.from(values);
  const low = all.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const high = all.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const size = (high - low) / bins || 1;
  const counts = new Array<number>(bins).fill(0);
  for (const x of all) counts[Math.min(bins - 1, Math.floor((x - low) / size))]++;
  const most = Math.max(...counts);
  // An edge at 0 may be off by a rounding error, which would be printed.
  const edge = (i: number) => {
    const at = low + i * size;
    return short(Math.abs(at) < size * 1e-9 ? 0 : at);
  };
  const labels = counts.map((_, i) => `${edge(i)} to ${edge(i + 1)}`);
  const margin = Math.max(...labels.map((l) => l.length));
  return counts.map((n, i) => `${ink.dim(labels[i].padStart(margin))}  ${bar(n / most, width, ink)} ${n}`);
}
