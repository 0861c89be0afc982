import { Braille } from "./braille.ts";
import { compact, short } from "./format.ts";
import type { Ink } from "./ink.ts";
import { ticks } from "./scale.ts";

/** One line of a plot: points (x, y) in order of x. Points that are not finite are left out. */
export interface Series {
  readonly name: string;
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
}

/** How a plot is drawn. */
export interface PlotOptions {
  readonly width: number;
  readonly height: number;
  readonly ink: Ink;
  /** End of the x axis (default: the last point). */
  readonly until?: number;
  /** A level marked with a dotted line, such as the solved threshold. */
  readonly goal?: number;
  /** Unit of x. */
  readonly unit?: string;
}

/** Green. */
const goalColor = 2;

/** Plots curves in `height` lines of `width` characters, with axis labels and, for several curves, a legend. */
export function plot(series: readonly Series[], options: PlotOptions): string[] {
  const { width, height, ink, goal, unit = "steps" } = options;
  const [low, high] = range(series, goal);
  const last = Math.max(1, options.until ?? 0, ...series.map((s) => (s.x.length ? s.x[s.x.length - 1] : 0)));
  const marks = ticks(low, high, Math.max(2, Math.floor(height / 3)));
  const margin = Math.max(...[...marks, goal ?? 0].map((m) => short(m).length), 3);
  const legend = series.length > 1 ? series.map((s, i) => `${ink.color(i, "━━")} ${s.name}`) : [];
  const lines = Math.max(2, height - 2 - legend.length);
  const canvas = new Braille(Math.max(8, width - margin - 2), lines);
  const [right, bottom] = [canvas.columns * 2 - 1, canvas.lines * 4 - 1];
  const toX = (x: number) => (x / last) * right;
  const toY = (y: number) => bottom - ((y - low) / (high - low || 1)) * bottom;
  if (goal !== undefined) for (let x = 0; x <= right; x += 4) canvas.dot(x, toY(goal), goalColor);
  series.forEach((s, color) => drawLine(canvas, s, toX, toY, color));

  const lineOf = (y: number) => Math.min(lines - 1, Math.max(0, Math.round(toY(y)) >> 2));
  const labels = new Map(marks.map((m) => [lineOf(m), ink.dim(short(m).padStart(margin))]));
  if (goal !== undefined) labels.set(lineOf(goal), ink.color(goalColor, short(goal).padStart(margin)));
  const body = canvas.toLines(ink).map((line, i) => {
    const label = labels.get(i);
    return `${label ?? " ".repeat(margin)} ${ink.dim(label ? "┤" : "│")}${line}`;
  });
  const end = `${compact(last)} ${unit}`;
  const axis = `${" ".repeat(margin)} ${ink.dim(`└${"─".repeat(canvas.columns)}`)}`;
  const numbers = `${" ".repeat(margin + 2)}${ink.dim(`0${end.padStart(canvas.columns - 1)}`)}`;
  return [...body, axis, numbers, ...legend.map((l) => `${" ".repeat(margin + 2)}${l}`)];
}

function drawLine(
  canvas: Braille,
  { x, y }: Series,
  toX: (x: number) => number,
  toY: (y: number) => number,
  color: number,
): void {
  let before = -1;
  for (let i = 0; i < x.length; i++) {
    if (!Number.isFinite(y[i])) continue;
    if (before < 0) canvas.dot(toX(x[i]), toY(y[i]), color);
    else canvas.line(toX(x[before]), toY(y[before]), toX(x[i]), toY(y[i]), color);
    before = i;
  }
}

/** The range of y over all curves and the goal; never empty. */
export function range(series: readonly Series[], goal?: number): [number, number] {
  let [low, high] = [goal ?? Number.POSITIVE_INFINITY, goal ?? Number.NEGATIVE_INFINITY];
  for (const { y } of series)
    for (let i = 0; i < y.length; i++) {
      if (!Number.isFinite(y[i])) continue;
      low = Math.min(low, y[i]);
      high = Math.max(high, y[i]);
    }
  if (low > high) return [0, 1];
  return low === high ? [low - 0.5, high + 0.5] : [low, high];
}
