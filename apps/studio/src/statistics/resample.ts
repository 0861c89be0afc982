import { estimate } from "reins/core/evaluations";
import { Curve } from "../curves/curve.ts";
import { Growable } from "../curves/growable.ts";

/** Number of points of a mean curve. */
const points = 400;

/** A curve without NaN. */
function known({ x, y }: Curve): Curve {
  const rows = Array.from({ length: y.length }, (_, i) => i).filter((i) => Number.isFinite(y.data[i]));
  const [places, values] = [new Growable(), new Growable()];
  places.push(Float64Array.from(rows, (i) => x.data[i]));
  values.push(Float64Array.from(rows, (i) => y.data[i]));
  return new Curve(places, values);
}

/** The value of a curve at x by linear interpolation; NaN outside its range. */
export function valueAt({ x, y }: Curve, at: number): number {
  const { data, length } = x;
  if (length === 0 || at < data[0] || at > data[length - 1]) return Number.NaN;
  const i = x.lower(at);
  if (data[i] === at || i === 0) return y.data[i];
  const share = (at - data[i - 1]) / (data[i] - data[i - 1]);
  return y.data[i - 1] + share * (y.data[i] - y.data[i - 1]);
}

/** A mean of curves, with a 95% interval if there are at least two. */
export interface MeanCurve {
  readonly curve: Curve;
  readonly low?: Curve;
  readonly high?: Curve;
}

/** Lower and upper bounds of a value. */
export type Range = readonly [number, number];

/** The mean of curves in the range that all of them cover, with Student's interval over independent seeds, clipped to the bounds of the values. */
export function meanOf(curves: readonly Curve[], range?: Range): MeanCurve {
  const some = curves.map(known).filter(({ x }) => x.length > 0);
  const from = Math.max(...some.map(({ x }) => x.data[0]));
  const to = Math.min(...some.map(({ x }) => x.data[x.length - 1]));
  const x = new Growable();
  const rows: { mean: number; half: number }[] = [];
  if (some.length > 0 && from <= to) {
    const at = Float64Array.from({ length: points }, (_, i) => from + ((to - from) * i) / (points - 1));
    x.push(from === to ? at.subarray(0, 1) : at);
    for (let i = 0; i < x.length; i++)
      rows.push(summary(some.map((c) => valueAt(c, x.data[i])).filter(Number.isFinite)));
  }
  const made = (of: (row: { mean: number; half: number }) => number) => {
    const y = new Growable();
    y.push(Float64Array.from(rows, of));
    const curve = new Curve(x, y);
    curve.grow();
    return curve;
  };
  const curve = made(({ mean }) => mean);
  if (some.length < 2) return { curve };
  return { curve, low: made((row) => boundsOf(row, range)[0]), high: made((row) => boundsOf(row, range)[1]) };
}

/** Clips an interval to the bounds of the values. */
export function boundsOf({ mean, half }: { mean: number; half: number }, range?: Range): Range {
  if (!range) return [mean - half, mean + half];
  return [Math.max(mean - half, Math.min(mean, range[0])), Math.min(mean + half, Math.max(mean, range[1]))];
}

/** The mean of numbers and the half-width of its 95% interval. */
export function summary(values: readonly number[]): { mean: number; half: number } {
  const { mean, interval } = estimate(values);
  return { mean, half: values.length === 1 ? 0 : interval[1] - mean };
}
