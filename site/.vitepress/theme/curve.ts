import type { CurvePoint } from "./demo.ts";

/** A learning curve in the coordinates of a drawing. */
export interface Drawing {
  /** SVG paths, one a curve. */
  readonly paths: readonly string[];
  readonly x: readonly Tick[];
  readonly y: readonly Tick[];
}

/** A grid line and its label. */
export interface Tick {
  readonly at: number;
  readonly text: string;
}

/** The inner rectangle of a drawing. */
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Draws curves in a frame, with round numbers on both axes. */
export function drawCurves(curves: readonly (readonly CurvePoint[])[], steps: number, frame: Frame): Drawing {
  const points = curves.flat();
  const last = Math.max(steps, ...points.map(({ step }) => step));
  let [low, high] = [
    Math.min(...points.map(({ value }) => value)),
    Math.max(...points.map(({ value }) => value)),
  ];
  if (!(high > low)) [low, high] = Number.isFinite(low) ? [low - 1, high + 1] : [0, 1];
  const y = roundTicks(low, high, 4);
  [low, high] = [Math.min(low, y[0]), Math.max(high, y[y.length - 1])];
  const across = (step: number) => frame.left + ((frame.right - frame.left) * step) / last;
  const up = (value: number) => frame.bottom - ((frame.bottom - frame.top) * (value - low)) / (high - low);
  return {
    paths: curves.map((curve) =>
      curve
        .map(({ step, value }, i) => `${i ? "L" : "M"}${across(step).toFixed(1)} ${up(value).toFixed(1)}`)
        .join(""),
    ),
    x: roundTicks(0, last, 4)
      .filter((step) => step <= last)
      .map((step) => ({ at: across(step), text: short(step) })),
    y: y.map((value) => ({ at: up(value), text: short(value) })),
  };
}

/** Round numbers that cover a range. */
export function roundTicks(low: number, high: number, count: number): number[] {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((n) => n * power >= rough) ?? 10);
  const first = Math.floor(low / step);
  const last = Math.ceil(high / step);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

const short = (n: number) =>
  withMinus(new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 }).format(n));

/** A number's text with a minus sign instead of a hyphen. */
export const withMinus = (text: string): string => text.replace("-", "−");
