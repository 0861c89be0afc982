import type { RunDetail, RunEvent } from "@reins/studio/wire";
import { get, ofRun } from "../../api.ts";
import { Curve } from "../../curves/curve.ts";
import { Growable } from "../../curves/growable.ts";
import type { PlotLine } from "../../curves/plot-options.ts";
import { usePoll } from "../../use-poll.ts";
import type { Axis } from "./use-curves.ts";

/** The events of a run, oldest first, kept up to date. */
export function useEvents(run: Pick<RunDetail, "name" | "state">): readonly RunEvent[] {
  const { value = [] } = usePoll(
    () => get<RunEvent[]>(ofRun(run.name, "events")),
    `${run.name} events`,
    run.state === "running" ? 3000 : 0,
  );
  return value;
}

/** Settings that were changed during training. */
export const movedIn = (events: readonly RunEvent[]): string[] => [
  ...new Set(events.flatMap(({ kind, values }) => (kind === "changed" ? Object.keys(values) : []))),
];

/** How a metric is drawn: a setting that was changed by hand is a step function. */
export function drawnAs(
  metric: string,
  curve: Curve,
  { run, moved, axis }: { run: RunDetail; moved: readonly string[]; axis: Axis },
): Pick<PlotLine, "curve" | "stepped"> {
  const setting = metric.replace(/^setting\//, "");
  if (setting === metric || !moved.includes(setting)) return { curve };
  return { curve: stepCurve(curve, run, setting, axis), stepped: true };
}

/** A setting that was changed by hand as a step function over the whole run: rows exist only where it changed. */
function stepCurve(curve: Curve, run: RunDetail, setting: string, axis: Axis): Curve {
  const begun = initialOf(run, setting);
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

/** The initial value of a setting, or of its schedule. */
function initialOf({ config }: RunDetail, setting: string): number | undefined {
  const given = ((config.options ?? {}) as Record<string, unknown>)[setting];
  const number = typeof given === "object" && given !== null && "from" in given ? given.from : given;
  return typeof number === "number" ? number : undefined;
}
