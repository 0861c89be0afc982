import type { AlignedData } from "uplot";

/** Separates points with equal x by a rounding error: `uPlot.join` keeps only the last of them. */
export function distinctPoints([x, ...y]: AlignedData): AlignedData {
  const places = Float64Array.from(x);
  for (let i = 1; i < places.length; i++)
    if (places[i] <= places[i - 1])
      places[i] = places[i - 1] + Math.max(Number.EPSILON, Math.abs(places[i - 1]) * 2 * Number.EPSILON);
  return [places, ...y];
}
