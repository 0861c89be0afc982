import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Curve } from "../../curves/curve.ts";
import { Growable } from "../../curves/growable.ts";
import { Log } from "../../curves/log.ts";

/** What curves can be drawn over. */
export type Axis = "step" | "time" | "episode";

/** Curves of a run by the names of their metrics, as they grow. */
export function useCurves(
  run: string,
  names: readonly string[],
  axis: Axis,
  live: boolean,
  log: "metrics" | "times" = "metrics",
): { curves: ReadonlyMap<string, Curve>; error?: string } {
  const logs = useMemo(() => ({ metrics: new Log(run, "metrics"), times: new Log(run, "times") }), [run]);
  const [turn, setTurn] = useState(0);
  const [error, setError] = useState<string>();
  const made = useRef(new Map<string, { key: string; curve: Curve; x: Growable }>());
  const key = `${run}\n${axis}\n${names.join("\n")}`;
  useEffect(() => {
    let over = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tick = () => over || setTurn((n) => n + 1);
    const round = async () => {
      if (!document.hidden)
        try {
          const changed = [
            await logs[log].read(names, tick),
            axis === "episode" && (await logs.metrics.read(["episodes"], tick)),
            axis === "time" && (await logs.times.read(["seconds"], tick)),
          ];
          setError(undefined);
          if (changed.some(Boolean)) tick();
        } catch (e) {
          if (!over) setError((e as Error).message);
        }
      if (!over && live) timer = setTimeout(round, 1000);
    };
    void round();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [key, live, logs]);
  const curves = useMemo(() => {
    const found = new Map<string, Curve>();
    for (const name of names) {
      const column = logs[log].column(name);
      if (!column) continue;
      const own = `${run}/${axis}/${column.version}`;
      let kept = made.current.get(name);
      if (kept?.key !== own) {
        const x = axis === "step" ? column.step : new Growable();
        kept = { key: own, curve: new Curve(x, column.value), x };
        made.current.set(name, kept);
      }
      if (axis !== "step") translate(kept.x, column.step, scaleOf(logs, axis));
      kept.curve.grow();
      found.set(name, kept.curve);
    }
    return found;
  }, [turn, key, logs]);
  return { curves, ...(error ? { error } : {}) };
}

/** The steps at which another axis is known, and how far it was. */
function scaleOf(logs: { metrics: Log; times: Log }, axis: Axis) {
  return axis === "time" ? logs.times.column("seconds") : logs.metrics.column("episodes");
}

/** Goes on with the places on another axis of steps that were added. */
function translate(
  x: Growable,
  steps: Growable,
  scale: { step: Growable; value: Growable } | undefined,
): void {
  if (!scale) return;
  const out = new Float64Array(steps.length - x.length);
  let last = x.length > 0 ? x.data[x.length - 1] : 0;
  for (let i = x.length; i < steps.length; i++) {
    const at = Math.min(scale.step.lower(steps.data[i]), scale.step.length - 1);
    const value = at < 0 ? Number.NaN : scale.value.data[at];
    // Never backwards: rows that lack it stay where the last one was.
    last = Math.max(last, Number.isFinite(value) ? value : last);
    out[i - x.length] = last;
  }
  x.push(out);
}
