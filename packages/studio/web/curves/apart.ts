import type { AlignedData } from "uplot";

/** Points of a line at places of their own: where several lines are joined, of two at one place only the last would be left. */
export function apart([x, ...y]: AlignedData): AlignedData {
  const places = Float64Array.from(x);
  for (let i = 1; i < places.length; i++)
    if (places[i] <= places[i - 1])
      places[i] = places[i - 1] + Math.max(Number.EPSILON, Math.abs(places[i - 1]) * 2 * Number.EPSILON);
  return [places, ...y];
}
