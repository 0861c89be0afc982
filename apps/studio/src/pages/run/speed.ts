import { Curve } from "../../curves/curve.ts";
import { Growable } from "../../curves/growable.ts";

/**
 * Environment steps a second, each over at least a hundredth of the run and half a second: rows may follow one another faster than a clock
 * can tell. `seconds` is the time spent on the run at each row. Intervals that end at a row of `evaluated` contain an evaluation and are
 * left out, unless all of them do.
 */
export function speedOf({ x, y }: Curve, evaluated: ReadonlySet<number> = new Set()): Curve {
  const rows = intervals(x, y, evaluated);
  const total = rows.at(-1)?.seconds ?? 0;
  const least = Math.max(0.5, total / 100);
  const [places, speeds]: [number[], number[]] = [[], []];
  let from = -1;
  for (let i = 0; i < rows.length; i++) {
    const at = (k: number) => (k < 0 ? { steps: 0, seconds: 0 } : rows[k]);
    while (from + 1 < i && rows[i].seconds - at(from + 1).seconds >= least) from++;
    const past = rows[i].seconds - at(from).seconds;
    if (past < least) continue;
    places.push(rows[i].x);
    speeds.push((rows[i].steps - at(from).steps) / past);
  }
  const [xs, ys] = [new Growable(), new Growable()];
  xs.push(Float64Array.from(places));
  ys.push(Float64Array.from(speeds));
  const curve = new Curve(xs, ys);
  curve.grow();
  return curve;
}

interface Interval {
  readonly x: number;
  /** Steps and seconds of training up to here, without the intervals that were left out. */
  readonly steps: number;
  readonly seconds: number;
}

function intervals(x: Growable, y: Growable, evaluated: ReadonlySet<number>): Interval[] {
  const found: Interval[] = [];
  let [steps, seconds] = [0, 0];
  for (let i = 0; i < y.length; i++) {
    if (evaluated.has(x.data[i])) continue;
    steps += x.data[i] - (i > 0 ? x.data[i - 1] : 0);
    seconds += y.data[i] - (i > 0 ? y.data[i - 1] : 0);
    found.push({ x: x.data[i], steps, seconds });
  }
  return found.length > 0 || evaluated.size === 0 ? found : intervals(x, y, new Set());
}
