import type { RunDetail, RunEvent } from "../../../src/wire.ts";
import { get, ofRun } from "../../api.ts";
import { Curve } from "../../curves/curve.ts";
import { Growable } from "../../curves/growable.ts";
import type { PlotLine } from "../../curves/plot-options.ts";
import { usePoll } from "../../use-poll.ts";
import type { Axis } from "./use-curves.ts";

/** What happened in a run beside its rounds, the oldest first, as it goes on. */
export function useEvents(run: RunDetail): readonly RunEvent[] {
  const { value = [] } = usePoll(
    () => get<RunEvent[]>(ofRun(run.name, "events")),
    `${run.name} events`,
    run.state === "running" ? 3000 : 0,
  );
  return value;
}

/** Settings that people moved while the run went on, whether or not they followed a signal before. */
export const movedIn = (events: readonly RunEvent[]): string[] => [
  ...new Set(events.flatMap(({ kind, values }) => (kind === "changed" ? Object.keys(values) : []))),
];

/** How a metric of a run is drawn: a setting that was moved stays where it was put, and others go from row to row. */
export function drawnAs(
  metric: string,
  curve: Curve,
  { run, moved, axis }: { run: RunDetail; moved: readonly string[]; axis: Axis },
): Pick<PlotLine, "curve" | "stepped"> {
  const setting = metric.replace(/^setting\//, "");
  if (setting === metric || !moved.includes(setting)) return { curve };
  return { curve: heldCurve(curve, run, setting, axis), stepped: true };
}

/**
 * A setting that was moved by hand, from the beginning of its run to where that is now: rows say when it was put somewhere, and there it
 * stays.
 */
function heldCurve(curve: Curve, run: RunDetail, setting: string, axis: Axis): Curve {
  const begun = beginningOf(run, setting);
  const end = axis === "step" ? run.steps : axis === "time" ? run.seconds : 0;
  const [places, values] = [curve.x, curve.y].map(({ data, length }) => [...data.subarray(0, length)]);
  const [first = 0, last = 0] = [places[0], places.at(-1)];
  if (begun !== undefined && first > 0) {
    places.unshift(0);
    values.unshift(begun);
  }
  if (values.length > 0 && end > last) {
    places.push(end);
    values.push(values.at(-1)!);
  }
  const [x, y] = [new Growable(), new Growable()];
  x.push(Float64Array.from(places));
  y.push(Float64Array.from(values));
  const held = new Curve(x, y);
  held.grow();
  return held;
}

/** Where a setting began: at its number, or at the first one of its schedule. */
function beginningOf({ config }: RunDetail, setting: string): number | undefined {
  const given = ((config.options ?? {}) as Record<string, unknown>)[setting];
  const number = typeof given === "object" && given !== null && "from" in given ? given.from : given;
  return typeof number === "number" ? number : undefined;
}
