/** Steps of every dance. */
export const danceSteps = 8;

/** Each dance: where a dancer is in each step, as digits of a telephone around 5, its home. */
const steps = [
  "12369874", // a circle
  "47896321", // the same backwards
  "25852585", // up and down
  "45654565", // from side to side
  "15951595", // along one diagonal
  "35753575", // along the other
  "52545658", // a cross
  "13971397", // from corner to corner
];

/** How many there are. */
export const dances = steps.length;

/** Rows and columns from home, by dance and step. */
const offsets = Int8Array.from(
  steps.flatMap((digits) =>
    [...digits].flatMap((d) => [Math.floor((Number(d) - 1) / 3) - 1, ((Number(d) - 1) % 3) - 1]),
  ),
);

/** How far from home a dancer is, in cells of a stage that is so wide. */
export function stepOf(dance: number, step: number, width: number): number {
  const i = 2 * (dance * danceSteps + step);
  return offsets[i] * width + offsets[i + 1];
}
