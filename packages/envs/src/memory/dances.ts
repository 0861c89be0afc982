/** Steps per dance. */
export const danceSteps = 8;

/** Each dance: the dancer's position in each step, as digits of a telephone keypad around 5, its home. */
const steps = [
  "12369874", // a circle
  "47896321", // the circle backwards
  "25852585", // up and down
  "45654565", // from side to side
  "15951595", // along one diagonal
  "35753575", // along the other
  "52545658", // a cross
  "13971397", // from corner to corner
];

/** Number of dances. */
export const dances = steps.length;

/** Rows and columns from home, by dance and step. */
const offsets = Int8Array.from(
  steps.flatMap((digits) =>
    [...digits].flatMap((d) => [Math.floor((Number(d) - 1) / 3) - 1, ((Number(d) - 1) % 3) - 1]),
  ),
);

/** The dancer's offset from home, in cells of a stage of this width. */
export function stepOf(dance: number, step: number, width: number): number {
  const i = 2 * (dance * danceSteps + step);
  return offsets[i] * width + offsets[i + 1];
}
